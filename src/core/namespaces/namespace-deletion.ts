/**
 * Takes away what is in a namespace that was deleted: ends its leases and tokens, then deletes its records, and at the last
 * the namespace itself. Each step can be done again, so whoever finds the intent after a crash goes on.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Log, Storage } from "../../api/engine.ts";
import type { LeaseEnding } from "../leases/lease-ending.ts";
import type { Leases } from "../leases/leases.ts";
import { forgetAccessors } from "../mounts/accessor-index.ts";
import { deleteSome } from "../mounts/wipe.ts";
import type { Records } from "../storage/records.ts";
import { dismissVisitors } from "../tokens/abroad.ts";
import type { Revocation } from "../tokens/revocation.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { type Namespace, reference } from "./namespace.ts";
import { namespacePrefix, storageOf } from "./namespace-storage.ts";
import { namespaceById, removeNamespace, type StoredNamespace } from "./stored-namespace.ts";

const intents = "core/namespaces/deleting/";
const perCommit = 200;
const perRound = 100;
/** Of `perRound` leases or tokens, or of `perCommit` records. */
const roundsAtOnce = 20;

interface Left {
  rounds: number;
}

/** Part of the commit that closes the namespace. */
export function beginDeletion(namespace: StoredNamespace, whole: Storage): void {
  whole.put(intents + namespace.id, recordBytes(reference(namespace)));
}

export interface DeletionParts {
  readonly records: Records;
  readonly tokens: Tokens;
  readonly revocation: Revocation;
  readonly leases: Leases;
  readonly ending: LeaseEnding;
  readonly log: Log;
  readonly now: () => number;
}

export class NamespaceDeletion {
  readonly #parts: DeletionParts;
  /** By this process, at this moment. */
  readonly #underway = new Map<string, Promise<boolean>>();

  constructor(parts: DeletionParts) {
    this.#parts = parts;
  }

  /**
   * Goes on for a while with every deletion that was begun, unless this process is at it anyway; answers how many came to
   * their end. What else has to end must not wait for a large one.
   */
  async resume(): Promise<number> {
    const ids = await this.#parts.records.transaction((whole) => whole.list(intents));
    let ended = 0;
    for (const id of ids) if (!this.#underway.has(id) && (await this.#start(id, roundsAtOnce))) ended += 1;
    return ended;
  }

  /** Goes on to the end with what has just begun. */
  async finish(): Promise<void> {
    const ids = await this.#parts.records.transaction((whole) => whole.list(intents));
    for (const id of ids) await (this.#underway.get(id) ?? this.#start(id, Number.POSITIVE_INFINITY));
  }

  /** False while something is left. */
  #start(id: string, rounds: number): Promise<boolean> {
    const proceeding = this.#proceed(id, { rounds }).finally(() => this.#underway.delete(id));
    this.#underway.set(id, proceeding);
    return proceeding;
  }

  async #proceed(id: string, left: Left): Promise<boolean> {
    const { records, log } = this.#parts;
    const namespace = await records.transaction(
      async (whole) => (await whole.read(intents + id, parseRecord)) as Namespace | undefined,
    );
    if (!namespace) return true;
    if (!(await this.#endLeases(namespace, left)) || !(await this.#endTokens(namespace, left))) return false;
    await records.transaction((whole) => forgetAccessors(storageOf(namespace, whole)));
    for (let more = true; more; ) {
      more = await records.transaction((whole) => dismissVisitors(storageOf(namespace, whole), perCommit));
    }
    if (!(await this.#wipe(namespace, left))) return false;
    log.info("deleted a namespace", { namespace: namespace.path });
    return true;
  }

  /** One that could not be ended is tried again as leases are, and in the end given up as they are: then it is forgotten. */
  async #endLeases(namespace: Namespace, left: Left): Promise<boolean> {
    const { records, leases, ending, log, now } = this.#parts;
    for (; left.rounds > 0; left.rounds--) {
      const found = await records.transaction(async (whole) => {
        const storage = storageOf(namespace, whole);
        const ids = await leases.below("", storage, perRound);
        return Promise.all(ids.map(async (id) => ({ id, lease: await leases.find(id, storage) })));
      });
      if (found.length === 0) return true;
      const ready = found.filter(({ lease }) => !lease?.attempts || lease.irrevocable || lease.expires <= now());
      const outcomes = await Promise.allSettled(
        ready.map(({ id, lease }) => ending.end(id, { namespace, force: lease?.irrevocable === true })),
      );
      const failed = outcomes.filter(({ status }) => status === "rejected").length;
      if (failed > 0)
        log.warn("leases of a deleted namespace could not be ended", { namespace: namespace.path, failed });
      if (ready.length === failed) return false;
    }
    return false;
  }

  /** Those that never expire have no lease. */
  async #endTokens(namespace: Namespace, left: Left): Promise<boolean> {
    const { records, tokens, revocation } = this.#parts;
    for (; left.rounds > 0; left.rounds--) {
      const ended = await records.transaction(async (whole) => {
        const storage = storageOf(namespace, whole);
        const accessors = await tokens.accessors(storage, { limit: perRound });
        const found = await Promise.all(accessors.map((accessor) => tokens.byAccessor(accessor, storage)));
        const alive = found.filter((token) => token !== undefined);
        for (const token of alive) revocation.begin(token, storage);
        return alive.map(({ key }) => key);
      });
      await Promise.all(ended.map((key) => revocation.finish(key)));
      if (ended.length === 0) return true;
    }
    return false;
  }

  async #wipe(namespace: Namespace, left: Left): Promise<boolean> {
    for (; left.rounds > 0; left.rounds--) {
      const isGone = await this.#parts.records.transaction(async (whole) => {
        const deleted = await deleteSome(namespacePrefix(namespace), whole, perCommit);
        if (deleted >= perCommit) return false;
        const stored = await namespaceById(namespace.id, whole);
        if (stored) await removeNamespace(stored, whole);
        whole.delete(intents + namespace.id);
        return true;
      });
      if (isGone) return true;
    }
    return false;
  }
}
