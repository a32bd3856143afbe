/** Removes what is of no use any more: orders that ended long ago, accounts without orders, bindings that nobody used. */
import type { Tick } from "../../../api/engine.ts";
import type { Account } from "./account.ts";
import type { Acme, WithAcme } from "./acme.ts";
import type { Order } from "./order.ts";

export interface AcmeTidyWishes {
  /** How long orders are kept after the end of their certificate, or of the order where there is none. */
  readonly orderBufferMs: number;
  /** How long an account without orders is kept, and how long again once it is revoked or deactivated. */
  readonly accountBufferMs: number;
}

/** Named as in the status of a tidy operation. */
export interface AcmeTidied {
  readonly total_acme_account_count: number;
  readonly acme_account_deleted_count: number;
  readonly acme_account_revoked_count: number;
  readonly acme_orders_deleted_count: number;
  readonly acme_eab_deleted_count: number;
}

type Parts = Pick<Tick<WithAcme>, "now" | "signal" | "transaction">;
type Count = Partial<Record<keyof AcmeTidied, number>>;

const pageSize = 200;

export async function tidyAcme(parts: Parts, wishes: AcmeTidyWishes): Promise<AcmeTidied> {
  const counts = {
    total_acme_account_count: 0,
    acme_account_deleted_count: 0,
    acme_account_revoked_count: 0,
    acme_orders_deleted_count: 0,
    acme_eab_deleted_count: 0,
  };
  const add = (count: Count) => {
    for (const [name, value] of Object.entries(count)) counts[name as keyof AcmeTidied] += value;
  };
  const now = parts.now.getTime();
  await eachPage(
    parts,
    (acme, page) => acme.orders.list(page),
    (acme, id) => tidyOrder(acme, id, now - wishes.orderBufferMs),
    add,
  );
  await eachPage(
    parts,
    (acme, page) => acme.accounts.list(page),
    (acme, id) => tidyAccount(acme, id, now, wishes.accountBufferMs),
    add,
  );
  await eachPage(
    parts,
    (acme, page) => acme.bindings.list(page),
    (acme, id) => tidyBinding(acme, id, now - wishes.accountBufferMs),
    add,
  );
  return counts;
}

/** Each page is a transaction of its own; it may be run again, so what it counts is added when it is done. */
async function eachPage(
  { signal, transaction }: Parts,
  list: (acme: Acme, page: { after: string | undefined; limit: number }) => Promise<string[]>,
  tidy: (acme: Acme, id: string) => Promise<Count>,
  add: (count: Count) => void,
): Promise<void> {
  let after: string | undefined;
  do {
    const done = await transaction(async ({ acme }) => {
      const names = await list(acme, { after, limit: pageSize });
      const found: Count[] = [];
      for (const name of names) found.push(await tidy(acme, name));
      return { names, found };
    });
    done.found.forEach(add);
    after = done.names.length < pageSize ? undefined : done.names.at(-1);
  } while (after !== undefined && !signal.aborted);
}

async function tidyOrder(acme: Acme, id: string, before: number): Promise<Count> {
  const order = await acme.orders.get(id);
  if (!order || endOf(order) >= before) return {};
  for (const each of order.authorizations) {
    const authorization = await acme.authorizations.get(each);
    // What was proven still counts for revoking, until it ends by itself.
    if (authorization && authorization.expires < before) acme.authorizations.delete(authorization);
    else if (authorization) return {};
  }
  if (order.certificate) acme.links.delete(order.certificate.serial);
  acme.orders.delete(order);
  return { acme_orders_deleted_count: 1 };
}

const endOf = ({ certificate, expires }: Order): number => certificate?.notAfter ?? expires;

async function tidyAccount(acme: Acme, id: string, now: number, buffer: number): Promise<Count> {
  const account = await acme.accounts.get(id);
  if (!account) return {};
  const total = { total_acme_account_count: 1 };
  if (account.statusSince + buffer > now || (await hasOrders(acme, account))) return total;
  if (account.status !== "valid") {
    acme.accounts.delete(account);
    return { ...total, acme_account_deleted_count: 1 };
  }
  acme.accounts.put({ ...account, status: "revoked", statusSince: now });
  return { ...total, acme_account_revoked_count: 1 };
}

const hasOrders = async (acme: Acme, { id }: Account): Promise<boolean> =>
  (await acme.orders.listOf(id, { limit: 1 })).length > 0;

async function tidyBinding(acme: Acme, id: string, before: number): Promise<Count> {
  const binding = await acme.bindings.get(id);
  if (!binding || Date.parse(binding.created_on) >= before) return {};
  acme.bindings.delete(id);
  return { acme_eab_deleted_count: 1 };
}
