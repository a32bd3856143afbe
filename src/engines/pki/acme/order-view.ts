/** An order together with what it rests on, and as clients see it. */
import type { RawReply } from "../../../api/reply.ts";
import type { Acme } from "./acme.ts";
import type { Authorization } from "./authorization.ts";
import type { Directory } from "./directory.ts";
import { type Order, type OrderStatus, orderError, orderStatus } from "./order.ts";
import { malformed, Problem } from "./problem.ts";
import { jsonReply } from "./reply.ts";
import type { AccountRequest } from "./signed.ts";

export interface LoadedOrder {
  readonly order: Order;
  readonly authorizations: readonly Authorization[];
  readonly status: OrderStatus;
}

/** Seconds after which a client may look again. */
const lookAgain = 1;

export async function loadOrder(acme: Acme, id: string, now: Date): Promise<LoadedOrder | undefined> {
  const order = await acme.orders.get(id);
  if (!order) return undefined;
  const found = await Promise.all(order.authorizations.map((each) => acme.authorizations.get(each)));
  const authorizations = found.filter((each) => each !== undefined);
  return { order, authorizations, status: orderStatus(order, authorizations, now) };
}

/** The order of the account that asks. */
export async function requireOrder({ acme, account, now }: AccountRequest, id: string): Promise<LoadedOrder> {
  const loaded = await loadOrder(acme, id, now);
  if (!loaded) throw malformed("there is no such order", { status: 404 });
  if (loaded.order.account !== account.id) {
    throw new Problem("unauthorized", "this is the order of another account", { status: 403 });
  }
  return loaded;
}

export function orderReply({ order, authorizations, status }: LoadedOrder, directory: Directory, code = 200): RawReply {
  const location = directory.url(`order/${order.id}`);
  const error = status === "invalid" ? orderError(authorizations) : undefined;
  const body = {
    status,
    expires: new Date(order.expires).toISOString(),
    identifiers: order.identifiers,
    ...(order.notAfter && { notAfter: order.notAfter }),
    ...(order.replaces && { replaces: order.replaces }),
    ...(error && { error }),
    authorizations: order.authorizations.map((id) => directory.url(`authorization/${id}`)),
    finalize: `${location}/finalize`,
    ...(order.certificate && { certificate: `${location}/cert` }),
  };
  const isWaiting = status === "pending" && authorizations.some(isBeingTried);
  return jsonReply(body, { status: code, location, retryAfter: isWaiting ? lookAgain : undefined });
}

export const isBeingTried = ({ status, challenges }: Authorization): boolean =>
  status === "pending" && challenges.some((challenge) => challenge.status === "processing");
