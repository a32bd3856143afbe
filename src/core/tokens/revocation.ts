/**
 * Ends tokens with all that hangs on them. The token itself dies in one commit together with a durable intent;
 * the rest follows in small commits, and whoever finds an intent after a crash finishes it.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { isRootNamespace, type Namespace, rootNamespace } from "../namespaces/namespace.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import type { Records } from "../storage/records.ts";
import { abroadOf, forgetAbroad } from "./abroad.ts";
import type { Token } from "./token.ts";
import type { Tokens } from "./tokens.ts";

const intents = "sys/token/revoking/";
const perCommit = 50;

/** In one place for all namespaces, so that whoever looks for what was left undone finds all of it. */
interface Intent {
  readonly namespace?: Namespace;
}

/** Takes some of what a dead token leaves behind; answers whether anything is left. */
export type Cleanup = (tokenKey: string, storage: Storage, most: number) => Promise<boolean>;

export class Revocation {
  readonly #records: Records;
  readonly #tokens: Tokens;
  readonly #cleanups: readonly Cleanup[];

  constructor(records: Records, tokens: Tokens, cleanups: readonly Cleanup[]) {
    this.#records = records;
    this.#tokens = tokens;
    this.#cleanups = cleanups;
  }

  /** Kills the token within the caller's transaction, and leaves the intent for `finish`. */
  begin(token: Token, storage: Storage): void {
    this.#tokens.remove(token, storage);
    const { namespace, whole } = scopeOf(storage);
    const intent: Intent = isRootNamespace(namespace) ? {} : { namespace };
    whole.put(intents + token.key, recordBytes(intent));
  }

  /** Children, their children, and what they own; to be called once the transaction of `begin` is committed. */
  async finish(key: string): Promise<void> {
    const waiting = [key];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      waiting.push(...(await this.#finishOne(next)));
    }
  }

  /** Finishes what a crash left undone; answers how many. */
  async resume(): Promise<number> {
    const left = await this.#records.transaction((storage) => storage.list(intents));
    for (const key of left) await this.finish(key);
    return left.length;
  }

  /** Answers the children that were killed and wait for the same. */
  async #finishOne(key: string): Promise<string[]> {
    const killed: string[] = [];
    for (let more = true; more; ) {
      const { children, done } = await this.#records.transaction(async (whole) => {
        const intent = (await whole.read(intents + key, parseRecord)) as Intent | undefined;
        if (!intent) return { children: [], done: true };
        const home = storageOf(intent.namespace ?? rootNamespace, whole);
        const [abroad] = await abroadOf(key, home, 1);
        const { children, left } = await this.#takeSome(key, abroad ? storageOf(abroad, whole) : home);
        if (abroad && !left) forgetAbroad(key, abroad, home);
        const done = !abroad && !left;
        if (done) whole.delete(intents + key);
        return { children, done };
      });
      killed.push(...children);
      more = !done;
    }
    return killed;
  }

  /** What the token has in one namespace: children to kill, and what it owns. */
  async #takeSome(key: string, storage: Storage): Promise<{ children: string[]; left: boolean }> {
    const children = await this.#tokens.childrenOf(key, storage, { limit: perCommit });
    for (const child of children) {
      const token = await this.#tokens.byKey(child, storage);
      if (token) this.begin(token, storage);
      else this.#tokens.forgetChild(key, child, storage);
    }
    const leftovers = await this.#clean(key, storage);
    return { children, left: children.length >= perCommit || leftovers };
  }

  async #clean(key: string, storage: Storage): Promise<boolean> {
    let left = false;
    for (const cleanup of this.#cleanups) left = (await cleanup(key, storage, perCommit)) || left;
    return left;
  }
}
