/** Logs in through an OIDC provider: the person uses a browser, here or on another device, while this program waits. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../client/client.ts";
import { Refusal } from "../../client/failure.ts";
import { qrCode } from "../../lib/qr-code.ts";
import type { Session } from "../client-command.ts";
import { CommandFailure, exitCodes, UsageError } from "../failure.ts";
import { readData } from "../input.ts";
import { cleanPath } from "../path.ts";
import type { Terminal } from "../terminal.ts";
import { openBrowser } from "./browser.ts";
import { CallbackListener } from "./callback-listener.ts";
import type { LoginFlags } from "./method-login.ts";

interface OidcSettings {
  readonly role: string;
  readonly mode: "client" | "direct" | "device";
  readonly listenAddress: string;
  readonly port: number;
  readonly callbackHost: string;
  readonly callbackPort: number;
  readonly callbackMethod: string;
  readonly skipBrowser: boolean;
  readonly abortOnError: boolean;
}

const usualPort = 8250;
const patienceMs = 10 * 60_000;

export async function oidcLogin(session: Session<LoginFlags>): Promise<Answer> {
  const { client, flags, positionals, terminal, during } = session;
  const settings = readSettings(await readData(positionals, terminal));
  const mount = `auth/${cleanPath(flags.path ?? "oidc")}`;
  const nonce = `n_${randomBytes(15).toString("base64url")}`;
  await using listener = settings.mode === "client" ? await CallbackListener.start(settings) : undefined;
  const redirect_uri = redirectUri(settings, session, mount);
  const body = { role: settings.role, redirect_uri, client_nonce: nonce };
  const { data } = await during(
    "asking for the provider's address",
    client.put(`${mount}/oidc/auth_url`, body, { token: "" }),
  );
  const { auth_url: url, state, user_code: code, poll_interval: interval } = data as Record<string, string | undefined>;
  if (!url) throw new CommandFailure("Error logging in: the server gave no address to open", exitCodes.refused);
  await invite(terminal, settings, url, code);
  if (state !== undefined) return poll(session, mount, { state, client_nonce: nonce }, Number(interval) || 5);
  if (!listener) throw new UsageError("the role sends people back to this program: leave out callbackmode");
  const query = await listener.received(patienceMs);
  // The namespace may travel in the state; the server knows it without.
  const known = (query["state"] ?? "").split(",ns=", 1)[0]!;
  return during(
    "logging in",
    client.get(`${mount}/oidc/callback`, { query: { ...query, state: known, client_nonce: nonce }, token: "" }),
  );
}

function readSettings(data: Readonly<Record<string, unknown>>): OidcSettings {
  const text = (name: string, usual = "") => (data[name] === undefined ? usual : String(data[name]));
  const known = [
    "role",
    "port",
    "listenaddress",
    "callbackhost",
    "callbackport",
    "callbackmethod",
    "callbackmode",
    "skip_browser",
    "abort_on_error",
  ];
  const unknown = Object.keys(data).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`unknown setting ${unknown}: the settings are ${known.join(", ")}`);
  const mode = text("callbackmode", "client");
  if (mode !== "client" && mode !== "direct" && mode !== "device") {
    throw new UsageError("callbackmode is client, direct or device");
  }
  const port = readPort(text("port", String(usualPort)));
  return {
    role: text("role"),
    mode,
    listenAddress: text("listenaddress", "localhost"),
    port,
    callbackHost: text("callbackhost", "localhost"),
    callbackPort: readPort(text("callbackport", String(port))),
    callbackMethod: text("callbackmethod", "http"),
    skipBrowser: isTrue(text("skip_browser", "false")),
    abortOnError: isTrue(text("abort_on_error", "false")),
  };
}

const isTrue = (text: string) => text === "true" || text === "1";

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError("a port is a number from 1 to 65535");
  return port;
}

/** To this program in client mode, to the server in direct mode, and nowhere in device mode. */
function redirectUri(settings: OidcSettings, { client }: Session<LoginFlags>, mount: string): string {
  if (settings.mode === "device") return "";
  if (settings.mode === "direct") return `${client.settings.address.replace(/\/$/, "")}/v1/${mount}/oidc/callback`;
  const { callbackMethod, callbackHost, callbackPort } = settings;
  return `${callbackMethod}://${callbackHost}:${callbackPort}/oidc/callback`;
}

async function invite(terminal: Terminal, settings: OidcSettings, url: string, code: string | undefined) {
  const opened = !settings.skipBrowser && settings.mode !== "device" && (await openBrowser(url));
  if (!opened && settings.abortOnError && !settings.skipBrowser && settings.mode !== "device") {
    throw new CommandFailure("Error logging in: the browser cannot be opened", exitCodes.local);
  }
  const lines = opened
    ? ["Complete the login in your browser, which was opened at:"]
    : ["Open this address in a browser, here or on another device, and log in:"];
  terminal.complain([...lines, "", `    ${url}`, ""].join("\n"));
  if (code !== undefined) {
    terminal.complain(`The code is ${code}\n`);
    const drawn = terminal.isInteractive ? qrCode(url) : undefined;
    if (drawn !== undefined) terminal.complain(`${drawn}\n`);
  }
  terminal.complain("Waiting for the login to be completed...");
}

async function poll(session: Session<LoginFlags>, mount: string, body: object, seconds: number): Promise<Answer> {
  const { client, during } = session;
  let wait = seconds;
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    await sleep(wait * 1000);
    try {
      return await client.put(`${mount}/oidc/poll`, body, { token: "" });
    } catch (error) {
      if (!(error instanceof Refusal)) return during("logging in", Promise.reject(error));
      if (error.messages.includes("slow_down")) wait += 5;
      else if (!error.messages.includes("authorization_pending")) return during("logging in", Promise.reject(error));
    }
  }
  throw new CommandFailure("Error logging in: the login was not completed in time", exitCodes.refused);
}
