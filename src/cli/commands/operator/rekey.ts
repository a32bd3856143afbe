/** `operator rekey` and `operator rotate-keys`: new key shares, with the agreement of those who hold the old ones. */
import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { clientCommand, type Session } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { CommandFailure, exitCodes, UsageError } from "../../failure.ts";
import { choiceFlag, integerFlag, switchFlag, textFlag } from "../../flags.ts";
import { cellText } from "../../output/cell.ts";
import type { Printer } from "../../output/printer.ts";
import type { Row } from "../../output/table.ts";
import { numbered, readKeyShare, texts } from "./key-shares.ts";

const flags = {
  ...outputFlags,
  init: switchFlag("Begin"),
  status: switchFlag("Print how far it is"),
  cancel: switchFlag("Give it up"),
  verify: switchFlag("With -init: ask for the new shares before the old ones end. Alone: give one of the new shares"),
  nonce: textFlag("Nonce that -init printed; by default that of the operation under way"),
  target: choiceFlag(["barrier", "recovery"], "Which key's shares", { default: "barrier" }),
  "key-shares": integerFlag("How many new shares to make", { default: 5 }),
  "key-threshold": integerFlag("How many of the new shares will be needed", { default: 3 }),
};

export interface RekeyPaths {
  readonly barrier: string;
  readonly recovery: string;
}

type RekeySession = Session<typeof flags>;

export function rekeyCommand(summary: string, paths: RekeyPaths) {
  return clientCommand({
    summary,
    description: [
      "Begin with -init; then each holder of an old share gives it, until there are enough and the new shares are printed.",
      "Without a KEY it is asked for and not shown; - reads it from standard input.",
    ],
    parameters: "[KEY]",
    flags,
    async run(session) {
      const { client, print, during, flags } = session;
      if ([flags.init, flags.status, flags.cancel].filter(Boolean).length > 1) {
        throw new UsageError("-init, -status and -cancel exclude one another");
      }
      const path = paths[flags.target];
      const operation = flags.verify && !flags.init ? `${path}/verify` : `${path}/init`;
      if (flags.init) return during("beginning", begin(session, path));
      if (flags.status) return printStatus(print, (await during("asking for the state", client.get(operation))).data);
      if (!flags.cancel) return giveShare(session, path, operation);
      await during("giving up", client.delete(operation));
      return print.done("Success! Given up (if it was under way)");
    },
  });
}

async function begin({ client, print, flags }: RekeySession, path: string): Promise<number> {
  const { data } = await client.put(`${path}/init`, {
    secret_shares: flags["key-shares"],
    secret_threshold: flags["key-threshold"],
    require_verification: flags.verify,
  });
  return printStatus(print, data);
}

async function giveShare(session: RekeySession, path: string, operation: string): Promise<number> {
  const { client, print, during, flags, positionals, terminal } = session;
  const nonce = flags.nonce ?? (await during("asking for the state", nonceOf(client, operation)));
  if (nonce === "") throw new CommandFailure("Nothing is under way: begin with -init", exitCodes.local);
  const key = await readKeyShare(positionals[0], terminal, "Key share");
  const step = flags.verify ? "verify" : "update";
  const { data } = await during("giving a key share", client.put(`${path}/${step}`, { key, nonce }));
  if (data["complete"] !== true) return printStatus(print, data);
  if (flags.verify) return print.text("Success! The new shares are proved and in force.", data);
  return print.text(newSharesText(data), data);
}

async function nonceOf(client: Client, operation: string): Promise<string> {
  const { data } = await client.get(operation, { isProbe: true });
  return String(data["nonce"] ?? "");
}

function newSharesText(data: JsonObject): string {
  const closing =
    data["verification_required"] === true
      ? `The old shares stay good until enough of the new ones are given with -verify -nonce=${data["verification_nonce"]}`
      : "The old shares are worthless now. The new ones are shown once and kept nowhere.";
  return [...numbered("Key", texts(data["keys_base64"])), "", `Operation nonce: ${data["nonce"]}`, "", closing].join(
    "\n",
  );
}

function printStatus(print: Printer, data: JsonObject): number {
  const rows: (Row | undefined)[] = [
    row("Nonce", data["nonce"]),
    row("Started", data["started"]),
    data["progress"] === undefined
      ? undefined
      : ["Progress", `${cellText(data["progress"])}/${cellText(data["required"] ?? data["t"])}`],
    row("New Shares", data["n"]),
    row("New Threshold", data["t"]),
    row("Verification Required", data["verification_required"]),
    row("Verification Nonce", data["verification_nonce"]),
  ];
  return print.data(
    data,
    rows.filter((each) => each !== undefined),
  );
}

const row = (title: string, value: unknown): Row | undefined =>
  value === undefined || value === "" ? undefined : [title, cellText(value)];
