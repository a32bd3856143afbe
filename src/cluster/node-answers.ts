/** What workers ask of their supervisor: to reach the others, to keep what the node has once, and to count for all. */
import { RateLimiter } from "../core/quotas/rate-limiter.ts";
import type { LogLevelChange } from "../core/system/server-node.ts";
import type { NamedLog } from "../lib/log.ts";
import type { Answers } from "./channel.ts";
import { NoAnswer } from "./channel.ts";
import type { Member } from "./member.ts";
import type { AskedOfSupervisor, AskedOfWorker, Ready, Role } from "./messages.ts";
import { NodeSeal } from "./node-seal.ts";

export interface Node {
  readonly workers: number;
  readonly log: NamedLog;
  /** All that run, those that do not serve yet included. */
  readonly members: ReadonlySet<Member>;
  /** The one that keeps the progress of what takes several steps. */
  readonly keeper: Member | undefined;
  onReady(member: Member, ready: Ready): void;
}

/** For a scrape or a list: late figures are worth less than an answer. */
const figuresMs = 1000;
/** For opening, which reads the store, and for all that is no figure. */
const workMs = 10_000;
/** For closing: who still has keys after this time is ended. */
const closeMs = 5000;
/** For steps that write, which may wait for a slow disk or database. */
const stepMs = 60_000;

export class NodeAnswers {
  readonly #node: Node;
  readonly #seal = new NodeSeal();
  readonly #rates = new RateLimiter();
  readonly #rules = new Map<string, Parameters<RateLimiter["take"]>[0]>();
  #logLevels: LogLevelChange[] = [];
  #isFirst = true;
  #ports: readonly number[] = [];

  constructor(node: Node) {
    this.#node = node;
  }

  /** A reload ends levels that were set before. */
  forgetLogLevels(): void {
    this.#logLevels = [];
  }

  for(member: Member): Answers<AskedOfSupervisor> {
    return {
      role: () => this.#role(),
      ready: (ready) => {
        this.#ports = ready.addresses.map(({ port }) => port);
        this.#node.onReady(member, ready);
      },
      sealState: () => this.#seal.state,
      opened: ({ round, rootKey }) => this.#opened(member, round, rootKey),
      sealed: () => this.#sealed(member),
      take: (step) => this.#take(step),
      othersMetrics: () => this.#askOthers(member, "metrics", undefined, figuresMs),
      othersUnderWay: () => this.#askOthers(member, "underWay", undefined, figuresMs),
      setLogLevel: async (change) => {
        this.#logLevels = [...this.#logLevels.filter(({ name }) => change.name && name !== change.name), change];
        await this.#askOthers(member, "setLogLevel", change, figuresMs);
      },
      countRequest: ({ rule, client, now }) => this.#count(rule, client, now),
    };
  }

  #role(): Role {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return { workers: this.#node.workers, isFirst, ports: this.#ports, logLevels: this.#logLevels };
  }

  /** Answers when all are open, so that the next request may go to any of them. */
  async #opened(by: Member, ...key: Parameters<NodeSeal["opened"]>): Promise<void> {
    if (!this.#seal.opened(...key)) return;
    await Promise.all(
      this.#others(by).map((member) =>
        member.channel.ask("open", undefined, workMs).catch((error: Error) => {
          this.#node.log.error("a worker process was not unsealed", { pid: member.pid, error: error.message });
        }),
      ),
    );
  }

  /** Answers when nobody has keys any more. */
  async #sealed(by: Member): Promise<number> {
    const round = this.#seal.sealed();
    await Promise.all(
      this.#others(by).map((member) =>
        member.channel.ask("seal", round, closeMs).catch((error: Error) => {
          this.#node.log.error("a worker process did not say that it is sealed, and is ended", {
            pid: member.pid,
            error: error.message,
          });
          member.kill();
        }),
      ),
    );
    return round;
  }

  async #take(step: AskedOfWorker["take"]["input"]): Promise<unknown> {
    const { keeper } = this.#node;
    if (keeper === undefined) throw new NoAnswer("no worker process is ready");
    return keeper.channel.ask("take", step, stepMs);
  }

  /** In one place for all, so that a client who spreads its requests over connections is counted once. */
  #count(rule: Parameters<RateLimiter["take"]>[0], client: string, now: number) {
    this.#rules.delete(rule.id);
    this.#rules.set(rule.id, rule);
    const [oldest] = this.#rules.keys();
    if (this.#rules.size > mostRules && oldest !== undefined) {
      this.#rules.delete(oldest);
      this.#rates.keepOnly([...this.#rules.values()]);
    }
    return this.#rates.take(rule, client, now);
  }

  #others(asking: Member): Member[] {
    return [...this.#node.members].filter((member) => member !== asking);
  }

  async #askOthers<Kind extends "metrics" | "underWay" | "setLogLevel">(
    asking: Member,
    kind: Kind,
    input: AskedOfWorker[Kind]["input"],
    milliseconds: number,
  ): Promise<AskedOfWorker[Kind]["output"][]> {
    const serving = this.#others(asking).filter(({ isReady }) => isReady);
    const answers = await Promise.allSettled(serving.map(({ channel }) => channel.ask(kind, input, milliseconds)));
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  }
}

/** Rules that are counted at once; who comes back after more than these begins at 0. */
const mostRules = 10_000;
