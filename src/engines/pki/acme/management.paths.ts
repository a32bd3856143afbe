/** Declares what operators see of accounts and orders, with their tokens. */

import { notFound } from "../../../api/errors.ts";
import { choice, groups, items, named, text } from "../../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../../api/list-fields.ts";
import { pathsFor } from "../../../api/path.ts";
import type { Account } from "./account.ts";
import type { Acme, WithAcme } from "./acme.ts";
import { timeOf } from "./id.ts";
import { identifierText } from "./identifier.ts";
import { type LoadedOrder, loadOrder } from "./order-view.ts";

const path = pathsFor<WithAcme>();

const mostOrders = 1000;

const accountFields = {
  status: text("valid, deactivated by its holder, or revoked by an operator"),
  directory: text("Directory that it was made under"),
  contact: items("How to reach its holder"),
  created_on: text("When it was made (RFC 3339)"),
  eab_id: text("The external account binding that it was made with; empty if none"),
};

const orderFields = {
  status: text("pending, ready, valid or invalid"),
  account: text("Account that ordered"),
  directory: text("Directory that it was ordered under"),
  identifiers: items("What the certificate is for"),
  created_on: text("When it was ordered (RFC 3339)"),
  serial_number: text("Certificate; empty while there is none"),
};

const accountView = ({ status, directory, contact, created, binding }: Account) => ({
  status,
  directory,
  contact,
  created_on: new Date(created).toISOString(),
  eab_id: binding?.id ?? "",
});

const orderView = ({ order, status }: LoadedOrder) => ({
  status,
  account: order.account,
  directory: order.directory,
  identifiers: order.identifiers.map(identifierText),
  created_on: new Date(timeOf(order.id)).toISOString(),
  serial_number: order.certificate?.serial ?? "",
});

const accounts = path({
  pattern: "acme/mgmt/account/keyid",
  summary: "Accounts of all directories",
  list: {
    summary: "List accounts, oldest first",
    input: pageFields,
    output: { ...keysField, key_info: named("About each", accountFields) },
    async handler(input, { services }) {
      const keys = await services.acme.accounts.list(pageOf(input));
      const found = await Promise.all(keys.map((id) => services.acme.accounts.get(id)));
      return {
        keys,
        key_info: Object.fromEntries(found.flatMap((each) => (each ? [[each.id, accountView(each)]] : []))),
      };
    },
  },
});

const account = path({
  pattern: "acme/mgmt/account/keyid/:id",
  summary: "One account",
  params: { id: text("Account") },
  read: {
    summary: "Read an account with its orders, up to a thousand",
    output: {
      ...accountFields,
      orders: groups("Its orders, oldest first", { order_id: text("Order"), ...orderFields }),
    },
    async handler({ id }, { services, now }) {
      const { acme } = services;
      const found = await requireAccount(acme, id);
      const names = await acme.orders.listOf(id, { limit: mostOrders });
      const orders = await Promise.all(names.map((name) => loadOrder(acme, name, now)));
      return {
        ...accountView(found),
        orders: orders.flatMap((each) => (each ? [{ order_id: each.order.id, ...orderView(each) }] : [])),
      };
    },
  },
  write: {
    summary: "Revoke an account, or let it work again",
    input: { status: choice(["valid", "revoked"], "What the account shall be") },
    output: accountFields,
    async handler({ id, status }, { services, now }) {
      const found = await requireAccount(services.acme, id);
      const changed = { ...found, status, statusSince: now.getTime() };
      services.acme.accounts.put(changed);
      return accountView(changed);
    },
  },
  examples: [{ operation: "write", request: { status: "revoked" } }],
});

async function requireAccount(acme: Acme, id: string): Promise<Account> {
  const found = await acme.accounts.get(id);
  if (!found) throw notFound("there is no such account");
  return found;
}

const orders = path({
  pattern: "acme/mgmt/orders",
  summary: "Orders of all accounts",
  list: {
    summary: "List orders, oldest first",
    input: pageFields,
    output: { ...keysField, key_info: named("About each", orderFields) },
    async handler(input, { services, now }) {
      const keys = await services.acme.orders.list(pageOf(input));
      const found = await Promise.all(keys.map((id) => loadOrder(services.acme, id, now)));
      return {
        keys,
        key_info: Object.fromEntries(found.flatMap((each) => (each ? [[each.order.id, orderView(each)]] : []))),
      };
    },
  },
});

export const managementPaths = [accounts, account, orders];
