/** `server`: runs Strongroom, from configuration files or ready for development. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { developmentSource } from "../../config/development.ts";
import { loadServerConfig } from "../../config/load.ts";
import { ConfigError } from "../../config/report.ts";
import { SealSettingsError } from "../../core/seal/static-key.ts";
import { StoreUnavailable } from "../../core/storage/store.ts";
import type { NamedLog } from "../../lib/log.ts";
import { developmentKey, developmentToken, type Prepared, prepareDevelopment } from "../../server/development.ts";
import { Reloader } from "../../server/reloader.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { openLog } from "../../server/server-log.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { repeatedFlag, switchFlag, textFlag } from "../flags.ts";
import { developmentBanner, serverBanner } from "../server-banner.ts";
import type { Terminal } from "../terminal.ts";
import { readVersion } from "../version.ts";

const flags = {
  config: repeatedFlag("File or folder with the configuration, HCL or JSON; may be given several times", {
    placeholder: "path",
  }),
  dev: switchFlag("Run for development: no TLS, unsealed, with a root token. Never for production"),
  "dev-root-token-id": textFlag("Root token of a development server", {
    environment: ["STRONGROOM_DEV_ROOT_TOKEN_ID", "BAO_DEV_ROOT_TOKEN_ID", "VAULT_DEV_ROOT_TOKEN_ID"],
  }),
  "dev-listen-address": textFlag("Address of a development server", {
    default: "127.0.0.1:8200",
    environment: ["STRONGROOM_DEV_LISTEN_ADDRESS", "BAO_DEV_LISTEN_ADDRESS", "VAULT_DEV_LISTEN_ADDRESS"],
  }),
  "dev-storage-path": textFlag("Keep the data of a development server in this folder, with its key beside it"),
  "dev-no-store-token": switchFlag("Accepted; the root token is never written to a file"),
  "log-level": textFlag("trace, debug, info, warn or error; wins over the configuration"),
  "log-format": textFlag("standard or json; wins over the configuration"),
  "log-file": textFlag("File to log to, besides the standard error stream; wins over the configuration"),
};

export const command = defineCommand({
  summary: "Run a server",
  description: [
    "With -config it serves what the configuration says; a new store is then initialized with `operator init`.",
    "With -dev it is ready at once and keeps everything in memory, or in the folder that -dev-storage-path names.",
  ],
  examples: [
    { purpose: "Try it out", line: "server -dev" },
    { purpose: "Serve from a configuration", line: "server -config=/etc/strongroom" },
  ],
  flags,
  async run({ flags, terminal }) {
    if (!flags.dev && flags.config.length === 0) {
      throw new CommandFailure("say where the configuration is with -config, or try -dev", 1);
    }
    const development = flags.dev ? await developmentSetup(flags) : undefined;
    const readAgain = () => readConfig(flags, development?.source, terminal);
    // Until there is something to reload, a signal to do so must not end the process.
    process.on("SIGHUP", () => {});
    const { config, warnings } = await mendable(readAgain);
    for (const warning of warnings) terminal.complain(`Warning: ${warning}`);
    let prepared: Prepared | undefined;
    const { log, server } = await mendable(async () => {
      const log = openLog(config, (line) => terminal.complain(line.trimEnd()));
      const server = await startServer({
        config,
        log: log.log,
        version: readVersion(),
        buildDate: "",
        ...(development && {
          prepare: async (kernel) => {
            prepared = await prepareDevelopment(kernel, random, development.rootToken);
          },
        }),
      });
      return { log, server };
    });
    if (config.pid_file) await writeFile(config.pid_file, `${process.pid}\n`);
    terminal.write(serverBanner(config, server, readVersion()));
    if (prepared) terminal.write(developmentBanner(server, prepared, development?.keyFile));
    const reloader = new Reloader(server, log, config, readAgain);
    process.on("SIGHUP", () => void reloader.reload());
    const code = await untilStopped(server, log.log.named("server"));
    log.close();
    return code;
  },
});

const random = { bytes: (count: number) => randomBytes(count) };

interface DevelopmentFlags {
  readonly "dev-root-token-id": string | undefined;
  readonly "dev-listen-address": string;
  readonly "dev-storage-path": string | undefined;
}

async function developmentSetup(flags: DevelopmentFlags) {
  const address = flags["dev-listen-address"];
  const rootId = flags["dev-root-token-id"];
  const path = flags["dev-storage-path"];
  if (path === undefined) return { source: developmentSource({ address }), rootToken: rootId, keyFile: undefined };
  const storagePath = resolve(path);
  const keyFile = `${storagePath}.key`;
  const key = await developmentKey(keyFile, random);
  const source = developmentSource({ address, storagePath, keyFile });
  return { source, rootToken: rootId ?? developmentToken(key), keyFile };
}

type Source = ReturnType<typeof developmentSource>;

interface ConfigFlags {
  readonly config: readonly string[];
  readonly "log-level": string | undefined;
  readonly "log-format": string | undefined;
  readonly "log-file": string | undefined;
}

const readConfig = (flags: ConfigFlags, base: Source | undefined, terminal: Terminal) =>
  loadServerConfig(flags.config, {
    base: base ? [base] : [],
    environment: terminal.environment,
    flags: { log_level: flags["log-level"], log_format: flags["log-format"], log_file: flags["log-file"] },
  });

/** What the operator can mend is said in a sentence, without a stack. */
async function mendable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandFailure(error.message, 1);
    const isOperators = error instanceof StoreUnavailable || error instanceof SealSettingsError;
    if (isOperators || isAddressTrouble(error) || (error instanceof Error && error.name === "Error")) {
      throw new CommandFailure(`the server did not start: ${(error as Error).message}`, 1);
    }
    throw error;
  }
}

const isAddressTrouble = (error: unknown) =>
  ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL"].includes((error as NodeJS.ErrnoException)?.code ?? "");

function untilStopped(server: RunningServer, log: NamedLog): Promise<number> {
  const { promise, resolve: done } = Promise.withResolvers<number>();
  let since: number | undefined;
  const stop = () => {
    // A second signal means that somebody does not want to wait; but npm forwards the first one, so that it comes twice.
    if (since !== undefined) return Date.now() - since > 1000 ? done(1) : undefined;
    since = Date.now();
    log.info("stopping: finishing requests under way");
    server.close().then(
      () => done(0),
      (error: unknown) => {
        log.error("stopping failed", { error: String(error) });
        done(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return promise;
}
