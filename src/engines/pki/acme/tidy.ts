/** Removes what is of no use any more: orders that ended long ago, accounts without orders, bindings that nobody used. */
import type { Account } from "./account.ts";
import type { Acme } from "./acme.ts";
import type { Order } from "./order.ts";

export interface AcmeTidyWishes {
  /** How long orders are kept after the end of their certificate, or of the order where there is none. */
  readonly orderBufferMs: number;
  /** How long an account without orders is kept, and how long again once it is revoked or deactivated. */
  readonly accountBufferMs: number;
}

/** Named as in the status of a tidy operation. */
export type AcmeCount =
  | "total_acme_account_count"
  | "acme_account_deleted_count"
  | "acme_account_revoked_count"
  | "acme_orders_deleted_count";

interface Page {
  readonly after: string | undefined;
  readonly limit: number;
}

interface Kind {
  readonly name: string;
  list(acme: Acme, page: Page): Promise<string[]>;
  /** What became of it. */
  tidy(acme: Acme, id: string, wishes: AcmeTidyWishes, now: number): Promise<readonly AcmeCount[]>;
}

/** Orders first: an account is of no use once it has none. */
const kinds: readonly Kind[] = [
  { name: "orders", list: ({ orders }, page) => orders.list(page), tidy: tidyOrder },
  { name: "accounts", list: ({ accounts }, page) => accounts.list(page), tidy: tidyAccount },
  { name: "bindings", list: ({ bindings }, page) => bindings.list(page), tidy: tidyBinding },
];

/**
 * One step, small enough for a transaction: `after` is empty at first, and then what the step before answered. Undefined at the
 * end.
 */
export async function tidyAcmeStep(
  acme: Acme,
  wishes: AcmeTidyWishes,
  { after, limit }: { readonly after: string; readonly limit: number },
  now: Date,
  count: (name: AcmeCount) => void,
): Promise<string | undefined> {
  const [name = "", last] = after.split("/", 2);
  const index = Math.max(
    0,
    kinds.findIndex((kind) => kind.name === name),
  );
  const kind = kinds[index]!;
  const ids = await kind.list(acme, { after: last || undefined, limit });
  for (const id of ids) for (const each of await kind.tidy(acme, id, wishes, now.getTime())) count(each);
  if (ids.length === limit) return `${kind.name}/${ids.at(-1)}`;
  const next = kinds[index + 1];
  return next && `${next.name}/`;
}

async function tidyOrder(
  acme: Acme,
  id: string,
  { orderBufferMs }: AcmeTidyWishes,
  now: number,
): Promise<readonly AcmeCount[]> {
  const before = now - orderBufferMs;
  const order = await acme.orders.get(id);
  if (!order || endOf(order) >= before) return [];
  for (const each of order.authorizations) {
    const authorization = await acme.authorizations.get(each);
    // What was proven still counts for revoking, until it ends by itself.
    if (authorization && authorization.expires >= before) return [];
    if (authorization) await acme.authorizations.delete(authorization);
  }
  if (order.certificate) acme.links.delete(order.certificate.serial);
  acme.orders.delete(order);
  return ["acme_orders_deleted_count"];
}

const endOf = ({ certificate, expires }: Order): number => certificate?.notAfter ?? expires;

async function tidyAccount(
  acme: Acme,
  id: string,
  { accountBufferMs }: AcmeTidyWishes,
  now: number,
): Promise<readonly AcmeCount[]> {
  const account = await acme.accounts.get(id);
  if (!account) return [];
  const total = "total_acme_account_count";
  if (account.statusSince + accountBufferMs > now || (await hasOrders(acme, account))) return [total];
  if (account.status !== "valid") {
    acme.accounts.delete(account);
    return [total, "acme_account_deleted_count"];
  }
  acme.accounts.put({ ...account, status: "revoked", statusSince: now });
  return [total, "acme_account_revoked_count"];
}

const hasOrders = async (acme: Acme, { id }: Account): Promise<boolean> =>
  (await acme.orders.listOf(id, { limit: 1 })).length > 0;

async function tidyBinding(
  acme: Acme,
  id: string,
  { accountBufferMs }: AcmeTidyWishes,
  now: number,
): Promise<readonly AcmeCount[]> {
  const binding = await acme.bindings.get(id);
  if (binding && Date.parse(binding.created_on) < now - accountBufferMs) acme.bindings.delete(id);
  return [];
}
