/** Commands that ask a server: they share flags, the client, the printer, and how failures are told. */
import { Client } from "../client/client.ts";
import { Refusal, Unreachable } from "../client/failure.ts";
import { addressSource, type ConnectionValues, clientSettings, connectionFlags } from "./client-flags.ts";
import { type Command, defineCommand, type Invocation } from "./command.ts";
import { curlCommand } from "./curl.ts";
import { decisionOnRefusal } from "./decision.ts";
import { adviceFor } from "./explain.ts";
import { CommandFailure, exitCodes } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { type Format, Printer } from "./output/printer.ts";
import { requiredPolicy } from "./required-policy.ts";

export interface Session<Declared extends Flags> extends Invocation<Declared & typeof connectionFlags> {
  readonly client: Client;
  readonly print: Printer;
  /** Waits for what the server says. If it says no, the message begins with what was tried: "reading secret/a". */
  during<Result>(what: string, work: Promise<Result>, exitCode?: number): Promise<Result>;
}

export interface ClientCommand<Declared extends Flags> extends Omit<Command<Declared>, "run"> {
  run(session: Session<Declared>): Promise<number>;
}

/** The request is shown and not sent. */
class Shown extends Error {
  override readonly name = "Shown";
}

export function clientCommand<Declared extends Flags>({ run, ...declaration }: ClientCommand<Declared>): Command {
  return defineCommand({
    ...declaration,
    flags: { ...declaration.flags, ...connectionFlags },
    async run(invocation: Invocation<Declared & typeof connectionFlags>) {
      const { terminal } = invocation;
      const flags = invocation.flags as ConnectionValues & { readonly format?: Format; readonly field?: string };
      const settings = await clientSettings(flags, terminal.environment);
      const client: Client = new Client({ ...settings, ...previewOf(flags, () => client) });
      const print = new Printer(terminal, flags.format ?? "table", flags.field);
      const circumstances = {
        address: settings.address,
        addressSource: addressSource(invocation.given, terminal.environment),
        hasToken: settings.token !== "",
      };
      const during: Session<Declared>["during"] = async (what, work, exitCode = exitCodes.refused) => {
        try {
          return await work;
        } catch (error) {
          if (!(error instanceof Refusal) && !(error instanceof Unreachable)) throw error;
          const advice = (await decisionOn(error, client)) ?? adviceFor(error, circumstances);
          const text = `Error ${what}: ${error.message}${advice === undefined ? "" : `\n\n${advice}`}`;
          throw new CommandFailure(text, exitCode);
        }
      };
      try {
        return await run({ ...invocation, client, print, during });
      } catch (error) {
        if (!(error instanceof Shown)) throw error;
        terminal.write(error.message);
        return exitCodes.ok;
      } finally {
        client.close();
      }
    },
  });
}

/** A login is refused before there are policies to ask. */
async function decisionOn(error: Refusal | Unreachable, client: Client): Promise<string | undefined> {
  if (!(error instanceof Refusal) || error.status !== 403 || (client.settings.token ?? "") === "") return undefined;
  if (!error.messages.some((message) => message.includes("permission denied"))) return undefined;
  const { pathname } = new URL(error.request.url);
  if (pathname.includes("/v1/auth/") && pathname.includes("/login")) return undefined;
  return decisionOnRefusal(error.request, client);
}

function previewOf(flags: ConnectionValues, client: () => Client): Pick<Client["settings"], "onRequest"> {
  if (flags["output-curl-string"]) {
    return {
      onRequest: (request, line) => {
        throw new Shown(`${curlCommand(request, line, flags)}\n`);
      },
    };
  }
  if (!flags["output-policy"]) return {};
  return {
    onRequest: async (request) => {
      throw new Shown(await requiredPolicy(request, client()));
    },
  };
}
