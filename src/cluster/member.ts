/** One worker process as its supervisor knows it. */
import type { Worker } from "node:cluster";
import { type Answers, Channel } from "./channel.ts";
import type { AskedOfSupervisor, AskedOfWorker } from "./messages.ts";

export class Member {
  readonly worker: Worker;
  readonly channel: Channel<AskedOfWorker, AskedOfSupervisor>;
  /** By the clock of `performance`. */
  readonly started: number;
  /** It serves. */
  isReady = false;

  constructor(worker: Worker, answers: (member: Member) => Answers<AskedOfSupervisor>) {
    this.worker = worker;
    this.started = performance.now();
    const send = (message: object, failed: (error: Error) => void) => {
      worker.send(message, (error: Error | null) => {
        if (error) failed(error);
      });
    };
    this.channel = new Channel(send, answers(this));
    worker.on("message", (message) => this.channel.receive(message));
    // What cannot be sent is told to who asked.
    worker.on("error", () => {});
    worker.process.once("exit", () => this.channel.close());
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  kill(): void {
    this.worker.process.kill("SIGKILL");
  }
}
