/** Reloads a running server from its configuration, one time after the other. */
import type { LoadedConfig, ServerConfig } from "../config/server-config.ts";
import type { Telling } from "./reload.ts";
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

  /** `tell` hears of what is in the files; of what goes wrong in this process alone the log hears in any case. */
  reload(tell: Telling = this.#log.log.named("server")): Promise<void> {
    this.#last = this.#last.then(() => this.#once(tell));
    return this.#last;
  }

  /** A configuration that is wrong changes nothing; certificates and logs are still opened anew, as renewals need it. */
  async #once(tell: Telling): Promise<void> {
    this.#log.reopen();
    try {
      const { config, warnings } = await this.#read();
      for (const warning of warnings) tell.warn(warning);
      this.#inUse = config;
    } catch (error) {
      tell.error("the configuration is wrong, and the one in use stays", { error: (error as Error).message });
    }
    await this.#server.reload(this.#inUse, tell);
  }
}
