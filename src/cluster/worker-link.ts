/** A worker's end of the pipe to its supervisor: how it shares the seal, the counters and the settings of its node. */
import { ApiError } from "../api/errors.ts";
import type { Kernel } from "../core/kernel.ts";
import { snapshotOf } from "../core/metrics/across-processes.ts";
import type { Metrics } from "../core/metrics/metrics.ts";
import { type RateCounter, RateLimiter } from "../core/quotas/rate-limiter.ts";
import type { Companions, Step } from "../core/seal/companions.ts";
import { keyCopy, wipe } from "../core/seal/key-material.ts";
import type { RootKey } from "../core/seal/keyring.ts";
import { StoreUnavailable } from "../core/storage/store.ts";
import { changeLogLevel, type OtherProcesses } from "../core/system/server-node.ts";
import { requestsUnderWay } from "../core/system/under-way.ts";
import type { LineLog } from "../lib/log.ts";
import { type Answers, Channel, NoAnswer } from "./channel.ts";
import type { AskedOfSupervisor, AskedOfWorker, Ready, Role } from "./messages.ts";

/** What a worker can be asked once it has come that far. */
export interface WorkerParts {
  readonly kernel: Kernel;
  readonly metrics: Metrics;
  readonly log: LineLog;
}

export interface WorkerControl {
  reload(speaks: boolean): Promise<void>;
  reopenLog(): void;
  stop(): void;
}

/** Nobody waits for a supervisor that does not answer: it is as near as a process can be. */
const answerMs = 5000;
/** Longer than the supervisor gives the others. */
const togetherMs = 15_000;
const stepMs = 65_000;

export class WorkerLink {
  readonly #channel: Channel<AskedOfSupervisor, AskedOfWorker>;
  readonly #control: WorkerControl;
  #parts: WorkerParts | undefined;
  /** How often the node was sealed, as far as this process has heard. */
  #round = 0;

  constructor(control: WorkerControl) {
    this.#control = control;
    const send = (message: object, failed: (error: Error) => void) => {
      process.send!(message, (error: Error | null) => {
        if (error) failed(error);
      });
    };
    this.#channel = new Channel(send, this.#answers());
    process.on("message", (message) => this.#channel.receive(message));
  }

  role(): Promise<Role> {
    return this.#channel.ask("role", undefined, answerMs);
  }

  ready(ready: Ready): Promise<void> {
    return this.#channel.ask("ready", ready, answerMs);
  }

  /** From now on, and before the kernel opens its seal, it takes part in what the node does. */
  attach(parts: WorkerParts): void {
    this.#parts = parts;
  }

  readonly companions: Companions = {
    rootKey: async () => {
      const { round, rootKey, wasSealed } = await this.#channel.ask("sealState", undefined, answerMs);
      this.#round = round;
      return rootKey === undefined ? (wasSealed ? "sealed" : undefined) : received(rootKey);
    },
    opened: (rootKey) => this.#channel.ask("opened", { round: this.#round, rootKey }, togetherMs),
    sealed: async () => {
      this.#round = await this.#channel.ask("sealed", undefined, togetherMs);
    },
    take: (step) => this.#take(step),
  };

  readonly others: OtherProcesses = {
    metrics: () => this.#channel.ask("othersMetrics", undefined, answerMs).catch(() => []),
    underWay: () => this.#channel.ask("othersUnderWay", undefined, answerMs).catch(() => []),
    setLogLevel: (change) => this.#channel.ask("setLogLevel", change, answerMs),
  };

  /** One counter for the node; while nobody answers, each process counts for itself rather than not at all. */
  readonly newRateCounter = (): RateCounter => {
    const own = new RateLimiter();
    return {
      take: ({ id, rate, interval, block_interval }, client, now) => {
        const rule = { id, rate, interval, block_interval };
        return this.#channel
          .ask("countRequest", { rule, client, now }, answerMs)
          .catch(() => own.take(rule, client, now));
      },
      keepOnly: (rules) => own.keepOnly(rules),
    };
  };

  async #take(step: Step): Promise<unknown> {
    try {
      return await this.#channel.ask("take", step, stepMs);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw new ApiError(503, "the process that kept the progress has ended: begin again");
    }
  }

  #answers(): Answers<AskedOfWorker> {
    return {
      open: () => this.#parts?.kernel.start(),
      seal: async (round) => {
        this.#round = round;
        await this.#parts?.kernel.seal.sealHere();
      },
      take: (step) => this.#takeHere(step),
      metrics: () => (this.#parts ? snapshotOf(this.#parts.metrics) : []),
      underWay: () => (this.#parts ? requestsUnderWay(this.#parts.kernel.requests.underWay, new Date()) : {}),
      setLogLevel: (change) => this.#parts && changeLogLevel(this.#parts.log, change),
      reload: ({ speaks }) => this.#control.reload(speaks),
      reopenLog: () => this.#control.reopenLog(),
      stop: () => this.#control.stop(),
    };
  }

  async #takeHere(step: Step): Promise<unknown> {
    if (this.#parts === undefined) throw new NoAnswer("this process has just been started");
    const { kernel } = this.#parts;
    const wasSealed = kernel.seal.barrier.isSealed;
    const answer = await kernel.seal.take(step).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw new ApiError(503, "the store is not available; try again");
      throw error;
    });
    // Whoever was asked for the step may be another process; here nobody else takes up what was left undone.
    if (wasSealed && !kernel.seal.barrier.isSealed) await kernel.start();
    return answer;
  }
}

/** A copy that is the process's own; what came is wiped. */
function received({ generation, key }: { readonly generation: number; readonly key: Uint8Array }): RootKey {
  const copy = keyCopy(key);
  wipe(key);
  return { generation, key: copy };
}
