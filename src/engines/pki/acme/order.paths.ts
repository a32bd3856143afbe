/** Declares orders: made, read, finalized (RFC 8555, section 7.4). */
import { text } from "../../../api/fields.ts";
import { directoryParams, under } from "./directory.ts";
import { finalizeOrder } from "./finalize.ts";
import { createOrder } from "./new-order.ts";
import { orderReply, requireOrder } from "./order-view.ts";
import { byAccount } from "./signed.ts";
import { signedPath } from "./signed-path.ts";

const orderParams = { ...directoryParams, id: text("Order") };

const newOrder = signedPath({
  pattern: under("new-order"),
  summary: "Orders",
  params: directoryParams,
  post: "Order a certificate",
  handler: byAccount(async (request) => orderReply(await createOrder(request), request.directory, 201)),
});

const order = signedPath({
  pattern: under("order/:id"),
  summary: "One order",
  params: orderParams,
  post: "Read an order",
  handler: byAccount(async (request, { id }) => orderReply(await requireOrder(request, id), request.directory)),
});

const finalize = signedPath({
  pattern: under("order/:id/finalize"),
  summary: "The end of an order",
  params: orderParams,
  post: "Send the certificate request, and have it signed",
  handler: byAccount(async (request, { id }) => orderReply(await finalizeOrder(request, id), request.directory)),
});

export const orderPaths = [newOrder, order, finalize];
