/** The processes that take part in a measurement beside our servers, each started from a file of this folder. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Measured } from "./load.ts";

export class HelperProcess {
  readonly #child: ChildProcess;

  constructor(file: string) {
    this.#child = fork(join(import.meta.dirname, file), { execArgv: ["--no-warnings"] });
  }

  /** For one that says where it listens when it does. */
  static async listening(file: string): Promise<HelperProcess & { readonly port: number }> {
    const helper = new HelperProcess(file);
    const [{ port }] = (await once(helper.#child, "message")) as [{ port: number }];
    return Object.assign(helper, { port });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async measure(task: object): Promise<Measured> {
    this.#child.send(task);
    const [answer] = (await once(this.#child, "message")) as [{ measured?: Measured; error?: string }];
    if (answer.measured === undefined) throw new Error(answer.error);
    return answer.measured;
  }

  async end(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.disconnect();
    await exit;
  }
}
