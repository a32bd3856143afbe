/** `pki acme accounts` and `pki acme orders`: who gets certificates by ACME, and which. */
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { clientCommand } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import type { CommandGroup } from "../../command.ts";
import { textFlag } from "../../flags.ts";
import { pageFlags, pageQuery } from "../../listing.ts";
import { cellText } from "../../output/cell.ts";
import { nothingAt } from "../../path.ts";

type Column = readonly [title: string, cell: (info: JsonObject) => unknown];

const mountFlag = { mount: textFlag("Path of the engine", { default: "pki" }) };

const accountColumns: readonly Column[] = [
  ["Status", ({ status }) => status],
  ["Directory", ({ directory }) => directory],
  ["Contact", ({ contact }) => contact],
  ["Created", ({ created_on }) => created_on],
  ["Binding", ({ eab_id }) => eab_id],
];

const orderColumns: readonly Column[] = [
  ["Status", ({ status }) => status],
  ["Identifiers", ({ identifiers }) => identifiers],
  ["Account", ({ account }) => account],
  ["Created", ({ created_on }) => created_on],
  ["Serial Number", ({ serial_number }) => serial_number],
];

const lister = (what: "accounts" | "orders", rest: string, title: string, columns: readonly Column[]) =>
  clientCommand({
    summary: `List ${what} of ACME, oldest first`,
    examples: [{ purpose: "A few, of another mount", line: `pki acme ${what} -mount=pki-web -limit=10` }],
    flags: { ...formatFlag, ...mountFlag, ...pageFlags },
    async run({ client, print, during, flags }) {
      const path = `${flags.mount.replace(/\/+$/, "")}/acme/mgmt/${rest}`;
      const answer = await during(`listing ${what}`, client.list(path, pageQuery(flags)));
      const data = answer?.data ?? {};
      const [keys, info] = [data["keys"], data["key_info"]];
      if (!Array.isArray(keys) || keys.length === 0) throw nothingAt(`${path}/`);
      const rows = keys.map((key: string) => {
        const about = isJsonObject(info) && isJsonObject(info[key]) ? info[key] : {};
        return [key, ...columns.map(([, cell]) => cellText(cell(about)))];
      });
      return print.table([title, ...columns.map(([name]) => name)], rows, data);
    },
  });

export const pkiAcme: CommandGroup = {
  summary: "See accounts and orders of ACME",
  commands: {
    accounts: lister("accounts", "account/keyid", "Account", accountColumns),
    orders: lister("orders", "orders", "Order", orderColumns),
  },
};
