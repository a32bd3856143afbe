/** Ends leases through the engines that gave them: acts first, then forgets; a failure is tried again, later and later. */
import type { LeaseKind, Log, Storage } from "../../api/engine.ts";
import { Gathering } from "../../lib/gathering.ts";
import type { Counter, Labeled } from "../metrics/metrics.ts";
import type { LiveMounts } from "../mounts/live-mounts.ts";
import { type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
import type { Records } from "../storage/records.ts";
import type { Revocation } from "../tokens/revocation.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { type Lease, leaseKey } from "./lease.ts";
import { engineExchange, mountOfLease } from "./lease-mount.ts";
import type { Leases } from "./leases.ts";

const mostAttempts = 6;
const firstPauseMs = 10_000;
const perRound = 100;
const perCommit = 128;
const longestPauseMs = 15 * 60_000;
/** Whoever takes longer has failed: an engine that hangs must not hold its leases for ever. */
const deadlineMs = 5 * 60_000;

export interface EndingParts {
  readonly records: Records;
  readonly leases: Leases;
  readonly live: LiveMounts;
  readonly tokens: Tokens;
  readonly revocation: Revocation;
  readonly log: Log;
  readonly now: () => number;
  readonly endings: Labeled<Counter>;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface EndingOptions {
  /** Forget it also if it cannot be ended. */
  readonly force?: boolean;
  /** Milliseconds since the epoch. */
  readonly dueAt?: number;
  readonly namespace?: Namespace;
}

interface Ended {
  readonly id: string;
  readonly namespace: Namespace;
}

export class LeaseEnding {
  readonly #parts: EndingParts;
  /** Leases that are being ended by this process; a second attempt waits for the first. */
  readonly #underway = new Map<string, Promise<boolean>>();
  readonly #forgetting = new Gathering((ended: readonly Ended[]) => this.#forgetTogether(ended), perCommit);

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  /**
   * Ends the lease, or throws after having noted the failure. False when there is nothing to end: the lease is gone, or
   * was prolonged beyond `dueAt`.
   */
  end(id: string, options: EndingOptions = {}): Promise<boolean> {
    const underway = this.#underway.get(id);
    if (underway) return underway;
    const ending = this.#end(id, options).finally(() => this.#underway.delete(id));
    this.#underway.set(id, ending);
    return ending;
  }

  /** How many are being ended at this moment. */
  get underway(): number {
    return this.#underway.size;
  }

  isUnderway(id: string): boolean {
    return this.#underway.has(id);
  }

  async #end(
    id: string,
    { force = false, dueAt = Number.POSITIVE_INFINITY, namespace = rootNamespace }: EndingOptions,
  ): Promise<boolean> {
    const { leases } = this.#parts;
    const lease = await this.#within(namespace, (storage) => leases.find(id, storage));
    if (!lease) return this.#endToken(id, namespace);
    if (lease.expires > dueAt) return false;
    try {
      await this.#inTime(this.#act(lease, namespace));
    } catch (error) {
      if (!force) {
        await this.#note(lease, namespace, error);
        throw error;
      }
      this.#parts.log.warn("a lease was forgotten by force although it could not be ended", { lease: id });
    }
    await this.#forgetting.add({ id, namespace });
    this.#parts.endings.with("ended").add();
    return true;
  }

  /** Those that were ended in the meantime share a commit. */
  async #forgetTogether(ended: readonly Ended[]): Promise<undefined[]> {
    const { leases, records } = this.#parts;
    await records.transaction(async (whole) => {
      for (const { id, namespace } of ended) {
        const storage = storageOf(namespace, whole);
        const current = await leases.find(id, storage);
        if (current) await leases.remove(current, storage);
      }
    });
    return ended.map(() => undefined);
  }

  /** Some ids at a time, until none is left below the path; answers those that could not be ended. */
  async endBelow(
    path: string,
    { force = false, namespace = rootNamespace }: Omit<EndingOptions, "dueAt"> = {},
  ): Promise<string[]> {
    const { leases } = this.#parts;
    const failures = new Set<string>();
    for (;;) {
      const ids = await this.#within(namespace, (storage) => leases.below(path, storage, perRound + failures.size));
      const fresh = ids.filter((id) => !failures.has(id));
      if (fresh.length === 0) return [...failures];
      const outcomes = await Promise.allSettled(fresh.map((id) => this.end(id, { force, namespace })));
      outcomes.forEach((outcome, index) => {
        if (outcome.status === "rejected") failures.add(fresh[index]!);
      });
    }
  }

  #within<T>(namespace: Namespace, work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#parts.records.transaction((whole) => work(storageOf(namespace, whole)));
  }

  async #endToken(id: string, namespace: Namespace): Promise<boolean> {
    const { leases, tokens, revocation } = this.#parts;
    const key = await this.#within(namespace, async (storage) => {
      const behind = await leases.tokenBehind(id, storage);
      if (behind === undefined) return undefined;
      const token = await tokens.byKey(behind, storage);
      if (token) revocation.begin(token, storage);
      // One that is gone already, or whose path has another form, must not come up again.
      storage.delete(leaseKey(id));
      return behind;
    });
    if (key !== undefined) await revocation.finish(key);
    return key !== undefined;
  }

  async #inTime(work: Promise<void>): Promise<void> {
    const isOver = new AbortController();
    const late = this.#parts.pause(deadlineMs, isOver.signal).then(() => {
      throw new Error("the engine did not end it in time");
    });
    late.catch(() => {});
    await Promise.race([work, late]).finally(() => isOver.abort());
  }

  /** Runs the engine's own ending, over storage of its own. */
  async #act(lease: Lease, namespace: Namespace): Promise<void> {
    const { live, now } = this.#parts;
    await this.#within(namespace, async (storage) => {
      const mount = await mountOfLease(lease, live, storage);
      const kinds = "leases" in mount.engine ? mount.engine.leases : undefined;
      const kind = kinds?.[lease.kind] as LeaseKind<unknown> | undefined;
      if (!kind) throw new Error(`the engine knows no leases of the kind ${lease.kind}`);
      await kind.revoke(lease.secret, mount.services(storage, engineExchange(lease, namespace, new Date(now()))));
    });
  }

  async #note({ id }: Lease, namespace: Namespace, error: unknown): Promise<void> {
    const { leases, log, now } = this.#parts;
    const reason = error instanceof Error ? error.message : "unknown error";
    await this.#within(namespace, async (storage) => {
      const lease = await leases.find(id, storage);
      if (!lease || lease.irrevocable) return;
      const attempts = lease.attempts + 1;
      const irrevocable = attempts >= mostAttempts;
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
      const expires = irrevocable ? lease.expires : now() + pause;
      leases.replace(lease, { ...lease, attempts, irrevocable, expires, revoke_error: reason }, storage);
      log.warn("a lease could not be ended", { lease: id, attempts, irrevocable });
      this.#parts.endings.with(irrevocable ? "given_up" : "failed").add();
    });
  }
}
