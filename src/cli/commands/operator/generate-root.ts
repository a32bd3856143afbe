/** `operator generate-root`: a new root token, with the agreement of those who hold key shares. */
import { randomBytes } from "node:crypto";
import { randomBase62 } from "../../../lib/base62.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { clientCommand, type Session } from "../../client-command.ts";
import { outputFlags } from "../../client-flags.ts";
import { CommandFailure, exitCodes, UsageError } from "../../failure.ts";
import { switchFlag, textFlag } from "../../flags.ts";
import { readSecretArgument } from "../../input.ts";
import { cellText } from "../../output/cell.ts";
import type { Printer } from "../../output/printer.ts";
import { readKeyShare } from "./key-shares.ts";

const flags = {
  ...outputFlags,
  init: switchFlag("Begin; prints the one-time password unless -otp gives one"),
  status: switchFlag("Print how far it is"),
  cancel: switchFlag("Give it up"),
  "generate-otp": switchFlag("Print a one-time password to use with -init -otp"),
  otp: textFlag("One-time password, with -init and with -decode"),
  decode: textFlag("Decode the token that the last share brought; needs -otp. Use - for standard input"),
  nonce: textFlag("Nonce that -init printed; by default that of the attempt under way"),
};

type RootSession = Session<typeof flags>;

const attempt = "sys/generate-root-token/attempt";

export const generateRoot = clientCommand({
  summary: "Make a root token with the agreement of key holders",
  description: [
    "Begin with -init and keep the one-time password that it prints; then each holder gives a share.",
    "The last one gets the token encrypted; -decode with the one-time password makes it readable.",
    "Without a KEY it is asked for and not shown; - reads it from standard input.",
  ],
  parameters: "[KEY]",
  examples: [
    { purpose: "Begin", line: "operator generate-root -init" },
    { purpose: "Give a key share", line: "operator generate-root" },
    { purpose: "Make the token readable", line: "operator generate-root -decode=<encoded> -otp=<password>" },
  ],
  flags,
  async run(session) {
    const { client, print, during, flags, terminal } = session;
    const { init, status, cancel, otp, decode } = flags;
    if ([init, status, cancel, flags["generate-otp"], decode !== undefined].filter(Boolean).length > 1) {
      throw new UsageError("-init, -status, -cancel, -generate-otp and -decode exclude one another");
    }
    if (decode !== undefined) {
      const token = decodeToken((await readSecretArgument(decode, terminal)) ?? "", otp ?? "");
      return print.text(token, { token });
    }
    if (flags["generate-otp"]) return printPassword(session);
    const state = "asking for the state";
    if (init) return printAttempt(print, (await during("beginning", client.put(attempt, { otp: otp ?? "" }))).data);
    if (status) return printAttempt(print, (await during(state, client.get(attempt))).data);
    if (!cancel) return giveShare(session);
    await during("giving up", client.delete(attempt));
    return print.done("Success! Given up (if it was under way)");
  },
});

async function printPassword({ client, print, during }: RootSession): Promise<number> {
  const { data } = await during("asking for the state", client.get(attempt));
  const otp = randomBase62(Number(data["otp_length"]), { bytes: randomBytes });
  return print.text(otp, { otp });
}

async function giveShare({ client, print, during, flags, positionals, terminal }: RootSession): Promise<number> {
  const status = await during("asking for the state", client.get(attempt, { isProbe: true }));
  const nonce = flags.nonce ?? String(status.data["nonce"] ?? "");
  if (nonce === "") throw new CommandFailure("Nothing is under way: begin with -init", exitCodes.local);
  const key = await readKeyShare(positionals[0], terminal, "Key share");
  const work = client.put("sys/generate-root-token/update", { key, nonce });
  return printAttempt(print, (await during("giving a key share", work)).data);
}

const titles = { nonce: "Nonce", started: "Started", progress: "Progress", complete: "Complete" };
const optionalTitles = { otp: "OTP", otp_length: "OTP Length", encoded_token: "Encoded Token" };

function printAttempt(print: Printer, data: JsonObject): number {
  const shown = { ...data, progress: `${cellText(data["progress"])}/${cellText(data["required"])}` } as JsonObject;
  const rows = Object.entries(titles).map(([name, title]) => [title, cellText(shown[name])]);
  const more = Object.entries(optionalTitles).filter(([name]) => data[name] !== undefined && data[name] !== "");
  return print.data(data, [...rows, ...more.map(([name, title]) => [title, cellText(data[name])])]);
}

/** Token and password are combined bit by bit; done here, so that neither goes over the network again. */
export function decodeToken(encoded: string, otp: string): string {
  const bytes = Buffer.from(encoded.trim(), "base64");
  const password = Buffer.from(otp);
  if (otp === "") throw new UsageError("-decode needs the one-time password: add -otp");
  if (bytes.length !== password.length) {
    throw new UsageError("the encoded token and the one-time password do not belong together: they differ in length");
  }
  return Buffer.from(bytes.map((byte, index) => byte ^ password[index]!)).toString();
}
