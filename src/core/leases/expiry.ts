/** Ends what is due, on whichever process leads: reads from the front of the order of time, some at once, then looks again. */
import { Candidate, type CandidateParts } from "../jobs/candidate.ts";
import { finishWipes } from "../mounts/wipe.ts";
import { rootNamespace } from "../namespaces/namespace.ts";
import type { NamespaceDeletion } from "../namespaces/namespace-deletion.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
import type { LeaseRecount } from "../quotas/lease-recount.ts";
import type { Records } from "../storage/records.ts";
import type { Leadership } from "../storage/store.ts";
import type { Revocation } from "../tokens/revocation.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { type Due, deleteDue, dueBy } from "./due.ts";
import type { LeaseEnding } from "./lease-ending.ts";

export interface ExpiryParts extends CandidateParts {
  readonly records: Records;
  readonly tokens: Tokens;
  readonly revocation: Revocation;
  readonly ending: LeaseEnding;
  readonly deletion: NamespaceDeletion;
  readonly leaseRecount: LeaseRecount;
  readonly now: () => number;
}

/** Other requests wait while so many are read. */
const batch = 128;
/** Endings that take long, such as those of a database that is away, must not hold up all others. */
const mostUnderway = 1024;
const lookEveryMs = 1000;

export class Expiry {
  readonly #parts: ExpiryParts;
  readonly #candidate: Candidate;

  constructor(parts: ExpiryParts) {
    this.#parts = parts;
    this.#candidate = new Candidate("expiry", parts, (leadership) => this.#work(leadership));
  }

  /** Stands for election, and works when elected; for after unsealing. */
  start(): void {
    this.#candidate.start();
  }

  stop(): Promise<void> {
    return this.#candidate.stop();
  }

  /** Finishes what was begun and left, ends what is due now, and answers how many things were tried. */
  async runOnce(): Promise<number> {
    const due = await this.#look();
    await this.#endAll(due);
    return due.length;
  }

  async #work({ signal }: Leadership): Promise<void> {
    const { log, pause } = this.#parts;
    while (!signal.aborted) {
      let tried = 0;
      try {
        tried = await this.#round(signal);
      } catch (error) {
        log.error("expiry failed and will be tried again", { error: String(error) });
      }
      if (tried < batch) await pause(lookEveryMs, signal).catch(() => undefined);
    }
  }

  /** As `runOnce`, but leaves behind for a while what does not come to its end. */
  async #round(signal: AbortSignal): Promise<number> {
    const due = await this.#look();
    if (due.length === 0) return 0;
    const isOver = new AbortController();
    const patience = this.#parts.pause(lookEveryMs, AbortSignal.any([signal, isOver.signal])).catch(() => undefined);
    const ending = this.#endAll(due);
    ending.catch(() => undefined);
    await Promise.race([ending, patience]).finally(() => isOver.abort());
    return due.length;
  }

  async #look(): Promise<Due[]> {
    const { records, revocation, deletion, leaseRecount, ending, now, log } = this.#parts;
    let resumed = (await revocation.resume()) + (await finishWipes(records)) + (await deletion.resume());
    resumed += await leaseRecount.resume();
    if (resumed > 0) log.info("finished revocations or deletions that were left undone", { resumed });
    const most = Math.min(batch, mostUnderway - ending.underway) + ending.underway;
    const due = await records.transaction((storage) => dueBy(now(), most, storage));
    return due.filter(({ what }) => !("lease" in what && ending.isUnderway(what.lease)));
  }

  async #endAll(due: readonly Due[]): Promise<void> {
    const tokens = due.filter(({ what }) => "token" in what);
    const leases = due.filter(({ what }) => "lease" in what);
    await Promise.all([this.#endTokens(tokens), ...leases.map((each) => this.#endLease(each))]);
  }

  async #endLease(due: Due): Promise<void> {
    const { namespace = rootNamespace } = due.what;
    if (!("lease" in due.what)) return;
    try {
      if (!(await this.#parts.ending.end(due.what.lease, { dueAt: due.at, namespace }))) await this.#dropStray(due);
    } catch {
      // The failure is noted with the lease, and its next attempt is in the order of time.
    }
  }

  async #endTokens(due: readonly Due[]): Promise<void> {
    const { records, tokens, revocation } = this.#parts;
    const ended = await records.transaction(async (whole) => {
      const keys: string[] = [];
      for (const { at, name, what } of due) {
        if (!("token" in what)) continue;
        const storage = storageOf(what.namespace ?? rootNamespace, whole);
        const token = await tokens.byKey(what.token, storage);
        if (token && token.expires !== null && token.expires <= at) revocation.begin(token, storage);
        deleteDue(at, name, storage);
        keys.push(what.token);
      }
      return keys;
    });
    await Promise.all(ended.map((key) => revocation.finish(key)));
  }

  /** An entry whose lease is gone, or has moved, would come up for ever. */
  async #dropStray({ at, name }: Due): Promise<void> {
    await this.#parts.records.transaction(async (storage) => deleteDue(at, name, storage));
  }
}
