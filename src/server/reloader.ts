/** Reloads a running server from its configuration, one time after the other. */
import type { LoadedConfig, ServerConfig } from "../config/server-config.ts";
import type { Telling } from "./reload.ts";
import type { RunningServer } from "./server.ts";
import type { ServerLog } from "./server-log.ts";

const silent: Telling = { info() {}, warn() {}, error() {} };

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

  /** Of the processes of a node one `speaks`: what all of them find in the same files is told once. */
  reload(speaks = true): Promise<void> {
    this.#last = this.#last.then(() => this.#once(speaks));
    return this.#last;
  }

  /** A configuration that is wrong changes nothing; certificates and logs are still opened anew, as renewals need it. */
  async #once(speaks: boolean): Promise<void> {
    const log = speaks ? this.#log.log.named("server") : silent;
    this.#log.reopen();
    try {
      const { config, warnings } = await this.#read();
      for (const warning of warnings) log.warn(warning);
      this.#inUse = config;
    } catch (error) {
      log.error("the configuration is wrong, and the one in use stays", { error: (error as Error).message });
    }
    await this.#server.reload(this.#inUse, log);
  }
}
