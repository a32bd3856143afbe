/** `operator init`: makes an empty store a sealed one, and prints its keys. */
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { clientCommand, type Session } from "../../client-command.ts";
import { formatFlag } from "../../client-flags.ts";
import { exitCodes } from "../../failure.ts";
import { integerFlag, switchFlag } from "../../flags.ts";
import { numbered, texts } from "./key-shares.ts";

const flags = {
  ...formatFlag,
  status: switchFlag("Only tell whether the server is initialized: exit code 0 if it is, 2 if not"),
  "key-shares": integerFlag("Into how many shares the unseal key is split", { default: 5 }),
  "key-threshold": integerFlag("How many shares unseal", { default: 3 }),
  "recovery-shares": integerFlag("Into how many shares the recovery key is split, with an automatic seal", {
    default: 5,
  }),
  "recovery-threshold": integerFlag("How many recovery shares authorize, with an automatic seal", { default: 3 }),
};

type InitSession = Session<typeof flags>;
type InitFlags = InitSession["flags"];

export const init = clientCommand({
  summary: "Initialize a server, and print its keys and its root token",
  description: ["They are shown once and kept nowhere. Give the shares to different people."],
  examples: [
    { purpose: "Initialize with five shares of which three unseal", line: "operator init" },
    { purpose: "Initialize for a trial", line: "operator init -key-shares=1 -key-threshold=1" },
  ],
  flags,
  async run(session) {
    const { client, print, during, flags } = session;
    if (flags.status) return printInitStatus(session);
    const { data: status } = await during(
      "asking for the seal status",
      client.get("sys/seal-status", { isProbe: true }),
    );
    const { json } = await during("initializing", client.put("sys/init", initRequest(session, status)));
    const reply = isJsonObject(json) ? json : {};
    return print.text(initText(reply, flags, client.settings.address), machineForm(reply, flags));
  },
});

async function printInitStatus({ client, print, during }: InitSession): Promise<number> {
  const { data } = await during("asking for the state", client.get("sys/init"), exitCodes.local);
  const isInitialized = data["initialized"] === true;
  print.text(isInitialized ? "The server is initialized" : "The server is not initialized", data);
  return isInitialized ? exitCodes.ok : exitCodes.refused;
}

/** A seal that opens by itself takes recovery shares, any other one takes unseal shares, and neither takes both. */
function initRequest({ flags, given }: InitSession, status: JsonObject): JsonObject {
  const isAutomatic = status["recovery_seal"] === true;
  const asks = (names: string[]) => names.some((name) => given.has(name));
  return {
    ...((!isAutomatic || asks(["key-shares", "key-threshold"])) && {
      secret_shares: flags["key-shares"],
      secret_threshold: flags["key-threshold"],
    }),
    ...((isAutomatic || asks(["recovery-shares", "recovery-threshold"])) && {
      recovery_shares: flags["recovery-shares"],
      recovery_threshold: flags["recovery-threshold"],
    }),
  };
}

function initText(reply: JsonObject, flags: InitFlags, address: string): string {
  const unsealKeys = texts(reply["keys_base64"]);
  const recoveryKeys = texts(reply["recovery_keys_base64"]);
  const closing =
    unsealKeys.length > 0
      ? `The server is initialized, and sealed until ${flags["key-threshold"]} of these keys are given to it:\n\n` +
        `    strongroom operator unseal -address=${address}\n\n` +
        "They are not kept anywhere. Without them nobody can ever read what the server stores."
      : "The server is initialized and unseals by itself. The recovery keys authorize what only a quorum may do.";
  return [
    ...numbered("Unseal Key", unsealKeys),
    ...numbered("Recovery Key", recoveryKeys),
    "",
    `Initial Root Token: ${reply["root_token"]}`,
    "",
    closing,
  ].join("\n");
}

/** The names that scripts know. */
const machineForm = (reply: JsonObject, flags: InitFlags): JsonObject => ({
  unseal_keys_b64: texts(reply["keys_base64"]),
  unseal_keys_hex: texts(reply["keys"]),
  unseal_shares: flags["key-shares"],
  unseal_threshold: flags["key-threshold"],
  recovery_keys_b64: texts(reply["recovery_keys_base64"]),
  recovery_keys_hex: texts(reply["recovery_keys"]),
  recovery_keys_shares: flags["recovery-shares"],
  recovery_keys_threshold: flags["recovery-threshold"],
  root_token: reply["root_token"],
});
