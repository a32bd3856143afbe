/** Ends what is due, on whichever process leads: reads from the front of the order of time, some at once, then looks again. */
import { Candidate, type CandidateParts } from "../jobs/candidate.ts";
import { finishWipes } from "../mounts/wipe.ts";
import { type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import type { NamespaceDeletion } from "../namespaces/namespace-deletion.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
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
  readonly now: () => number;
}

const batch = 256;
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
    const { records, revocation, deletion, now, log } = this.#parts;
    const resumed = (await revocation.resume()) + (await finishWipes(records)) + (await deletion.resume());
    if (resumed > 0) log.info("finished revocations or deletions that were left undone", { resumed });
    const due = await records.transaction((storage) => dueBy(now(), batch, storage));
    await Promise.all(due.map((each) => this.#end(each)));
    return due.length;
  }

  async #work({ signal }: Leadership): Promise<void> {
    const { log, pause } = this.#parts;
    while (!signal.aborted) {
      let tried = 0;
      try {
        tried = await this.runOnce();
      } catch (error) {
        log.error("expiry failed and will be tried again", { error: String(error) });
      }
      if (tried < batch) await pause(lookEveryMs, signal).catch(() => undefined);
    }
  }

  async #end(due: Due): Promise<void> {
    const { namespace = rootNamespace } = due.what;
    if ("token" in due.what) return this.#endToken(due.what.token, namespace, due);
    try {
      if (!(await this.#parts.ending.end(due.what.lease, { dueAt: due.at, namespace }))) await this.#dropStray(due);
    } catch {
      // The failure is noted with the lease, and its next attempt is in the order of time.
    }
  }

  async #endToken(key: string, namespace: Namespace, due: Due): Promise<void> {
    const { records, tokens, revocation } = this.#parts;
    await records.transaction(async (whole) => {
      const storage = storageOf(namespace, whole);
      const token = await tokens.byKey(key, storage);
      if (token && token.expires !== null && token.expires <= due.at) revocation.begin(token, storage);
      deleteDue(due.at, due.name, storage);
    });
    await revocation.finish(key);
  }

  /** An entry whose lease is gone, or has moved, would come up for ever. */
  async #dropStray({ at, name }: Due): Promise<void> {
    await this.#parts.records.transaction(async (storage) => deleteDue(at, name, storage));
  }
}
