/**
 * Ends tokens with all that hangs on them. The token itself dies in one commit together with a durable intent;
 * the rest follows in small commits, and whoever finds an intent after a crash finishes it.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { Gathering } from "../../lib/gathering.ts";
import { isRootNamespace, type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { discountLease } from "../quotas/lease-quotas.ts";
import type { Records } from "../storage/records.ts";
import { abroadOf, forgetAbroad } from "./abroad.ts";
import type { Token } from "./token.ts";
import type { Tokens } from "./tokens.ts";

const intents = "sys/token/revoking/";
/** What one commit takes, of all tokens in it together: small, since other requests wait while it is put together. */
const perCommit = 64;
const perResumption = 500;

/** In one place for all namespaces, so that whoever looks for what was left undone finds all of it. */
interface Intent {
  readonly namespace?: Namespace;
  /** The quota that the token counted for. */
  readonly quota?: string;
}

/** Takes some of what a dead token leaves behind; answers how much: less than `most` if nothing is left. */
export type Cleanup = (tokenKey: string, storage: Storage, most: number) => Promise<number>;

interface Step {
  /** Tokens that were killed and wait for the same. */
  readonly children: readonly string[];
  readonly isDone: boolean;
}

export class Revocation {
  readonly #records: Records;
  readonly #tokens: Tokens;
  readonly #cleanups: readonly Cleanup[];
  readonly #steps = new Gathering((keys: readonly string[]) => this.#stepTogether(keys), perCommit);
  /** By this process, at this moment. */
  readonly #underway = new Map<string, Promise<void>>();

  constructor(records: Records, tokens: Tokens, cleanups: readonly Cleanup[]) {
    this.#records = records;
    this.#tokens = tokens;
    this.#cleanups = cleanups;
  }

  /** Kills the token within the caller's transaction, and leaves the intent for `finish`. */
  begin(token: Token, storage: Storage): void {
    this.#tokens.remove(token, storage);
    const { namespace, whole } = scopeOf(storage);
    const intent: Intent = {
      ...(!isRootNamespace(namespace) && { namespace }),
      ...(token.quota !== undefined && { quota: token.quota }),
    };
    whole.put(intents + token.key, recordBytes(intent));
  }

  /** Children, their children, and what they own; to be called once the transaction of `begin` is committed. */
  finish(key: string): Promise<void> {
    const underway = this.#underway.get(key);
    if (underway) return underway;
    const finishing = this.#finish(key).finally(() => this.#underway.delete(key));
    // Whoever waits for it hears of a failure; of those whom nobody waits for, the intent stays.
    finishing.catch(() => {});
    this.#underway.set(key, finishing);
    return finishing;
  }

  /** Finishes what a crash left undone, some of it at a time; answers how many. */
  async resume(): Promise<number> {
    const left = await this.#records.transaction((storage) => storage.list(intents, { limit: perResumption }));
    // What a request of this process is at work on is not left undone, and expiry must not wait for it.
    const undone = left.filter((key) => !this.#underway.has(key));
    await Promise.all(undone.map((key) => this.finish(key)));
    return undone.length;
  }

  async #finish(key: string): Promise<void> {
    const children: Promise<void>[] = [];
    for (let isDone = false; !isDone; ) {
      const step = await this.#steps.add(key);
      for (const child of step.children) children.push(this.finish(child));
      isDone = step.isDone;
    }
    await Promise.all(children);
  }

  /** One commit for many tokens. */
  #stepTogether(keys: readonly string[]): Promise<Step[]> {
    return this.#records.transaction(async (whole) => {
      const allowance = { left: perCommit };
      const steps: Step[] = [];
      for (const key of keys) steps.push(await this.#step(key, allowance, whole));
      return steps;
    });
  }

  /**
   * A token that is killed here keeps its intent until a later commit has found that it has no children: one may be made
   * until the moment in which the commit that kills it is there.
   */
  async #step(key: string, allowance: { left: number }, whole: Storage): Promise<Step> {
    if (allowance.left <= 0) return { children: [], isDone: false };
    allowance.left -= 1;
    const intent = (await whole.read(intents + key, parseRecord)) as Intent | undefined;
    if (!intent) return { children: [], isDone: true };
    const home = storageOf(intent.namespace ?? rootNamespace, whole);
    const [abroad] = await abroadOf(key, home, 1);
    const { children, isEmpty } = await this.#takeSome(key, allowance, abroad ? storageOf(abroad, whole) : home);
    if (abroad && isEmpty) forgetAbroad(key, abroad, home);
    const isDone = !abroad && isEmpty;
    if (isDone) {
      await discountLease(intent.quota, home);
      whole.delete(intents + key);
    }
    return { children, isDone };
  }

  /** What the token has in one namespace: children to kill, and what it owns. */
  async #takeSome(key: string, allowance: { left: number }, storage: Storage) {
    const most = Math.max(1, allowance.left);
    const children = await this.#tokens.childrenOf(key, storage, { limit: most });
    allowance.left -= children.length;
    for (const child of children) {
      const token = await this.#tokens.byKey(child, storage);
      if (token) this.begin(token, storage);
      else this.#tokens.forgetChild(key, child, storage);
    }
    let isEmpty = children.length < most;
    for (const cleanup of this.#cleanups) {
      const mostOfIt = Math.max(1, allowance.left);
      const taken = await cleanup(key, storage, mostOfIt);
      allowance.left -= taken;
      isEmpty &&= taken < mostOfIt;
    }
    return { children, isEmpty };
  }
}
