/** Starts other processes on a store, tells them what to do, and ends them in good and bad ways. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type Task =
  | { readonly do: "increment"; readonly key: string; readonly times: number }
  | { readonly do: "count"; readonly key: string; readonly times: number }
  | { readonly do: "flood"; readonly prefix: string; readonly inFlight: number }
  | { readonly do: "fill"; readonly prefix: string; readonly entries: number; readonly bytes: number }
  | { readonly do: "reopen"; readonly times: number }
  | { readonly do: "lead"; readonly name: string }
  | { readonly do: "close" };

type Message = { readonly id?: number; readonly result?: unknown; readonly error?: string; readonly told?: unknown };

export class StoreProcess {
  readonly #child: ChildProcess;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;
  /** Called with what the process tells while it works. */
  onTold: (what: unknown) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (message: Message) => this.#receive(message));
    let complaint = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-4000);
    });
    child.on("close", (code, signal) => {
      const error = new Error(`the process has ended with ${code ?? signal}: ${complaint}`);
      for (const { reject } of this.#asked.values()) reject(error);
    });
  }

  static async start(kind: "lmdb" | "postgresql", address: string, options: object = {}): Promise<StoreProcess> {
    const script = fileURLToPath(new URL("store-child.ts", import.meta.url));
    const child = fork(script, [kind, address, JSON.stringify(options)], { silent: true });
    const started = new StoreProcess(child);
    const ready = Promise.withResolvers<unknown>();
    started.#asked.set(0, ready);
    await ready.promise;
    return started;
  }

  ask<Result = void>(task: Task): Promise<Result> {
    const id = ++this.#last;
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.#child.send({ id, task });
    return answer.promise as Promise<Result>;
  }

  async close(): Promise<void> {
    await this.ask({ do: "close" });
    this.#child.disconnect();
    if (this.#child.exitCode === null) await once(this.#child, "exit");
  }

  /** Without any chance to tidy up. What it told before still arrives. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "close");
    this.#child.kill("SIGKILL");
    await gone;
  }

  #receive({ id, result, error, told }: Message): void {
    if (id === undefined) {
      this.onTold(told);
      return;
    }
    const answer = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(error));
  }
}
