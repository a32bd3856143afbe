/** Stores tokens under keyed hashes of their ids, so that a copy of the store gives nobody a token. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Random, Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { randomBase62 } from "../../lib/base62.ts";
import { deleteDue, putDue } from "../leases/due.ts";
import { suffixOf } from "../namespaces/namespace.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { countLease } from "../quotas/lease-quotas.ts";
import { readAtHand } from "../storage/read-at-hand.ts";
import { initializeBatchTokens, isBatchId, openBatchToken, sealBatchToken } from "./batch-token.ts";
import type { Token } from "./token.ts";
import { TokenHasher } from "./token-hasher.ts";
import { deleteTokenLease, putTokenLease } from "./token-lease.ts";

const saltKey = "core/token-salt";
const byId = "sys/token/id/";
const byParent = "sys/token/parent/";

/** `s.` and 24 letters and digits. */
export const tokenLength = 26;

export interface IssuedToken {
  readonly id: string;
  readonly token: Token;
}

export type TokenSettings = Omit<Token, "key" | "accessor" | "renewed" | "created" | "namespace" | "quota">;

export class Tokens {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Written once, when the store is initialized. */
  initialize(storage: Storage): void {
    storage.put(saltKey, this.#random.bytes(32));
    initializeBatchTokens(storage, this.#random);
  }

  /** The token with this id, alive or expired. */
  async find(id: string, storage: Storage): Promise<Token | undefined> {
    return this.atHand(id, storage);
  }

  /** As `find`, without a promise where the record is cached. */
  atHand(id: string, storage: Storage): AtHand<Token | undefined> {
    if (isBatchId(id)) return this.#findBatch(id, storage);
    return withValue(
      hasherIn(storage),
      (hasher) => readAtHand(storage, byId + hasher.hash(id), parseRecord) as AtHand<Token | undefined>,
    );
  }

  async byKey(key: string, storage: Storage): Promise<Token | undefined> {
    return (await storage.read(byId + key, parseRecord)) as Token | undefined;
  }

  /** An accessor is the token's key, with the suffix of its namespace: so no record of its own has to be kept true. */
  async byAccessor(accessor: string, storage: Storage): Promise<Token | undefined> {
    const suffix = suffixOf(scopeOf(storage).namespace);
    return accessor.endsWith(suffix) ? this.byKey(withoutSuffix(accessor, suffix), storage) : undefined;
  }

  async accessors(storage: Storage, { after, limit }: PageRequest = {}): Promise<string[]> {
    const suffix = suffixOf(scopeOf(storage).namespace);
    const from = after?.endsWith(suffix) ? withoutSuffix(after, suffix) : after;
    return (await storage.list(byId, { after: from, limit })).map((key) => key + suffix);
  }

  childrenOf(key: string, storage: Storage, page?: PageRequest): Promise<string[]> {
    return storage.list(`${byParent}${key}/`, page);
  }

  /** Makes a token and its id; a service token is stored, a batch token is its own record. */
  async issue(settings: TokenSettings, now: Date, storage: Storage, chosenId?: string): Promise<IssuedToken> {
    const { namespace } = scopeOf(storage);
    const suffix = suffixOf(namespace);
    const token = { ...settings, ...(suffix !== "" && { namespace }), created: now.getTime(), renewed: 0 };
    if (settings.type === "batch") {
      const batch = { ...token, key: "", accessor: "" };
      return { id: (await sealBatchToken(batch, storage, this.#random)) + suffix, token: batch };
    }
    const id = (chosenId ?? this.newId()) + suffix;
    const key = await hashed(id, storage);
    const quota = token.expires === null ? undefined : await countLease(token.path, storage);
    const stored = { ...token, key, accessor: key + suffix, ...(quota !== undefined && { quota }) };
    this.#store(stored, storage);
    if (stored.expires !== null) putTokenLease(stored, storage);
    if (stored.parent !== "") storage.put(`${byParent}${stored.parent}/${stored.key}`, recordBytes({}));
    return { id, token: stored };
  }

  /** Stores a changed token, and moves it in the order of time. */
  replace(before: Token, after: Token, storage: Storage): void {
    if (before.expires !== null && before.expires !== after.expires) {
      deleteDue(before.expires, before.key, storage);
    }
    this.#store(after, storage);
  }

  /** Takes one token out; its children stay, and are the caller's to revoke or to make orphans. */
  remove(token: Token, storage: Storage): void {
    storage.delete(byId + token.key);
    if (token.expires !== null) {
      deleteDue(token.expires, token.key, storage);
      deleteTokenLease(token, storage);
    }
    if (token.parent !== "") storage.delete(`${byParent}${token.parent}/${token.key}`);
  }

  forgetChild(parent: string, child: string, storage: Storage): void {
    storage.delete(`${byParent}${parent}/${child}`);
  }

  makeOrphan(token: Token, storage: Storage): void {
    storage.delete(`${byParent}${token.parent}/${token.key}`);
    this.replace(token, { ...token, parent: "" }, storage);
  }

  /** Whether an id that somebody chose is taken. */
  async isTaken(id: string, storage: Storage): Promise<boolean> {
    const full = id + suffixOf(scopeOf(storage).namespace);
    return (await storage.get(byId + (await hashed(full, storage)))) !== undefined;
  }

  newId(length = tokenLength): string {
    return `s.${randomBase62(length - 2, this.#random)}`;
  }

  #store(token: Token, storage: Storage): void {
    storage.put(byId + token.key, recordBytes(token));
    if (token.expires !== null) putDue(token.expires, token.key, { token: token.key }, storage);
  }

  /** A batch token that has a parent dies with it. */
  async #findBatch(id: string, storage: Storage): Promise<Token | undefined> {
    const { namespace, whole } = scopeOf(storage);
    const suffix = suffixOf(namespace);
    if (!id.endsWith(suffix)) return undefined;
    const token = await openBatchToken(suffix === "" ? id : id.slice(0, -suffix.length), storage);
    if (!token || token.parent === "") return token;
    const parents = token.parentNamespace ? storageOf(token.parentNamespace, whole) : storage;
    return (await this.byKey(token.parent, parents)) ? token : undefined;
  }
}

/** A token that may do everything and never expires. */
export const rootToken: TokenSettings = {
  parent: "",
  type: "service",
  policies: ["root"],
  path: "auth/token/root",
  role: "",
  meta: null,
  display_name: "root",
  entity_id: "",
  bound_cidrs: [],
  num_uses: 0,
  renewable: false,
  creation_ttl: 0,
  explicit_max_ttl: 0,
  period: 0,
  expires: null,
  login: null,
};

const withoutSuffix = (text: string, suffix: string): string => text.slice(0, text.length - suffix.length);

const hashed = async (id: string, storage: Storage): Promise<string> => (await hasherIn(storage)).hash(id);

const hasherIn = (storage: Storage): AtHand<TokenHasher> =>
  withValue(readAtHand(storage, saltKey, parseHasher), (hasher) => {
    if (!hasher) throw new Error("the store has no token salt: it was not initialized by this product");
    return hasher;
  });

const parseHasher = (salt: Uint8Array) => new TokenHasher(salt);
