/** One page of the orders of an account; those that came to nothing are left out (RFC 8555, section 7.1.2.1). */
import type { RawReply } from "../../../api/reply.ts";
import { loadOrder } from "./order-view.ts";
import { jsonReply, linkTo } from "./reply.ts";
import type { AccountRequest } from "./signed.ts";

const pageSize = 100;

export async function orderPage({ acme, directory, account, now }: AccountRequest, after: string): Promise<RawReply> {
  const names = await acme.orders.listOf(account.id, { after: after === "" ? undefined : after, limit: pageSize });
  const found = await Promise.all(names.map((name) => loadOrder(acme, name, now)));
  const orders = found.flatMap((each) =>
    each && each.status !== "invalid" ? [directory.url(`order/${each.order.id}`)] : [],
  );
  const last = names.at(-1);
  const next = `account/${account.id}/orders/${last}`;
  return jsonReply({ orders }, names.length < pageSize ? {} : { links: [linkTo(directory.url(next), "next")] });
}
