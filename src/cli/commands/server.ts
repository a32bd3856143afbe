/** `server`: runs Strongroom, from configuration files or ready for development. */
import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { workerCount } from "../../server/worker-count.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure } from "../failure.ts";
import { repeatedFlag, switchFlag, textFlag } from "../flags.ts";
import { mendable, setUp } from "../serve/setup.ts";

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
  workers: textFlag("Processes that serve; as many as there are cores if not set; wins over the configuration"),
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
    // Until there is something to reload, a signal to do so must not end the process.
    process.on("SIGHUP", () => {});
    const setup = await setUp(flags, terminal);
    if (cluster.isWorker) {
      // A terminal sends its signals to the whole group, and the supervisor passes on what is meant for workers.
      for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
      const { serveAsWorker } = await import("../serve/worker.ts");
      return serveAsWorker(setup);
    }
    const { config, warnings } = await mendable(setup.readConfig);
    for (const warning of warnings) terminal.complain(`Warning: ${warning}`);
    const workers = workerCount(config, availableParallelism());
    // Each loads what it needs: a supervisor has neither store nor engines in its memory.
    if (workers === 1) {
      const { serveAlone } = await import("../serve/alone.ts");
      return serveAlone(setup, config);
    }
    const { serveSupervised } = await import("../serve/supervised.ts");
    return serveSupervised(setup, config, workers);
  },
});
