/**
 * Keeps worker processes running behind the addresses of one server: starts them, replaces those that die, and passes on
 * what they tell each other. It opens no store and serves no request, so that it is small and has little to die of.
 */
import cluster from "node:cluster";
import type { NamedLog } from "../lib/log.ts";
import { Member } from "./member.ts";
import type { Ready } from "./messages.ts";
import { NodeAnswers } from "./node-answers.ts";
import { ReplacementDelay } from "./replacement-delay.ts";

export interface SupervisorOptions {
  readonly workers: number;
  readonly log: NamedLog;
  /** Added to the environment of workers. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The first worker has told the operator what is wrong, and ended with this code. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("the first worker process did not start");
    this.exitCode = exitCode;
  }
}

/** Longer than workers give their requests: who is not gone then has hung. */
const stopMs = 40_000;
const reloadMs = 60_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #answers: NodeAnswers;
  readonly #delay = new ReplacementDelay();
  readonly #members = new Set<Member>();
  readonly #first = Promise.withResolvers<Ready>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #hasServed = false;
  #stopped: { resolve(code: number): void; code: number } | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const supervisor = this;
    this.#answers = new NodeAnswers({
      workers: options.workers,
      log: options.log,
      members: this.#members,
      get keeper() {
        return supervisor.#keeper;
      },
      onReady: (member, ready) => this.#ready(member, ready),
    });
    // Binary, for keys: as text they could not be wiped.
    cluster.setupPrimary({ serialization: "advanced" });
  }

  /** Resolves when the first worker serves, and starts the others; throws `NotStarted` if it ends before. */
  start(): Promise<Ready> {
    this.#spawn();
    return this.#first.promise;
  }

  /** In all workers; one of them tells what came of it. */
  async reload(): Promise<void> {
    this.#answers.forgetLogLevels();
    const keeper = this.#keeper;
    await this.#tellAll("reloaded", (member) => member.channel.ask("reload", { speaks: member === keeper }, reloadMs));
  }

  reopenLogs(): Promise<void> {
    return this.#tellAll("given a new log file", ({ channel }) => channel.ask("reopenLog", undefined, reloadMs));
  }

  /** Lets all workers finish their requests; resolves to the exit code. */
  stop(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#stopped = { resolve, code: 0 };
    for (const timer of this.#timers) clearTimeout(timer);
    for (const member of this.#members) {
      member.channel.ask("stop", undefined, stopMs).catch(() => member.kill());
      setTimeout(() => member.kill(), stopMs).unref();
    }
    if (this.#members.size === 0) resolve(0);
    return promise;
  }

  /** The oldest that serves, or the first one while it makes the store ready. */
  get #keeper(): Member | undefined {
    const [oldest] = this.#members;
    for (const member of this.#members) if (member.isReady) return member;
    return oldest;
  }

  #spawn(): void {
    const worker = cluster.fork(this.#options.environment);
    const member = new Member(worker, (made) => this.#answers.for(made));
    this.#members.add(member);
    worker.process.once("exit", (code, signal) => this.#lost(member, code, signal));
  }

  #ready(member: Member, ready: Ready): void {
    member.isReady = true;
    this.#options.log.debug("a worker process serves", { pid: member.pid });
    if (this.#hasServed) return;
    this.#hasServed = true;
    this.#first.resolve(ready);
    for (let others = 1; others < this.#options.workers; others++) this.#spawn();
  }

  #lost(member: Member, code: number | null, signal: NodeJS.Signals | null): void {
    this.#members.delete(member);
    if (this.#stopped) {
      if (code !== 0) this.#stopped.code = 1;
      if (this.#members.size === 0) this.#stopped.resolve(this.#stopped.code);
      return;
    }
    if (!this.#hasServed) {
      this.#first.reject(new NotStarted(code || 1));
      return;
    }
    const delay = this.#delay.after(performance.now() - member.started);
    const how = { pid: member.pid, ...(signal ? { signal } : { code }), replaced_in_ms: delay };
    this.#options.log.error("a worker process ended, and is replaced", how);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#spawn();
    }, delay);
    this.#timers.add(timer);
  }

  async #tellAll(what: string, ask: (member: Member) => Promise<void>): Promise<void> {
    await Promise.all(
      [...this.#members].map((member) =>
        ask(member).catch((error: Error) => {
          this.#options.log.error(`a worker process was not ${what}`, { pid: member.pid, error: error.message });
        }),
      ),
    );
  }
}
