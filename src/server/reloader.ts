/** Reloads a running server from its configuration, one time after the other. */
import type { LoadedConfig, ServerConfig } from "../config/server-config.ts";
import type { RunningServer } from "./server.ts";
import type { ServerLog } from "./server-log.ts";

export class Reloader {
  readonly #server: RunningServer;
  readonly #log: ServerLog;
  readonly #read: () => Promise<LoadedConfig>;
  #inUse: ServerConfig;
  #last = Promise.resolve();

  constructor(server: RunningServer, log: ServerLog, began: ServerConfig, read: () => Promise<LoadedConfig>) {
    this.#server = server;
    this.#log = log;
    this.#inUse = began;
    this.#read = read;
  }

  reload(): Promise<void> {
    this.#last = this.#last.then(() => this.#once());
    return this.#last;
  }

  /** A configuration that is wrong changes nothing; certificates and logs are still opened anew, as renewals need it. */
  async #once(): Promise<void> {
    const log = this.#log.log.named("server");
    this.#log.reopen();
    try {
      const { config, warnings } = await this.#read();
      for (const warning of warnings) log.warn(warning);
      this.#inUse = config;
    } catch (error) {
      log.error("the configuration is wrong, and the one in use stays", { error: (error as Error).message });
    }
    await this.#server.reload(this.#inUse);
  }
}
