/** Stores tokens under keyed hashes of their ids, so that a copy of the store gives nobody a token. */
import { createHmac } from "node:crypto";
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Random, Storage } from "../../api/engine.ts";
import { randomBase62 } from "../../lib/base62.ts";
import type { Token } from "./token.ts";

const saltKey = "core/token-salt";
const idPrefix = "sys/token/id/";
const accessorPrefix = "sys/token/accessor/";

export const tokenLength = 26;

export interface CreatedToken {
  readonly id: string;
  readonly token: Token;
}

export class Tokens {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Written once, when the store is initialized. */
  initialize(storage: Storage): void {
    storage.put(saltKey, this.#random.bytes(32));
  }

  async find(id: string, storage: Storage): Promise<Token | undefined> {
    const record = await storage.read(idPrefix + (await hashed(id, storage)), parseRecord);
    return record as Token | undefined;
  }

  async create(settings: Omit<Token, "accessor" | "key">, storage: Storage, id = this.newId()): Promise<CreatedToken> {
    const key = await hashed(id, storage);
    const token: Token = { ...settings, key, accessor: randomBase62(24, this.#random) };
    storage.put(idPrefix + key, recordBytes(token));
    storage.put(accessorPrefix + (await hashed(token.accessor, storage)), recordBytes({ key }));
    return { id, token };
  }

  /** A token that may do everything and never expires. */
  createRoot(now: Date, storage: Storage, id?: string): Promise<CreatedToken> {
    return this.create(
      {
        policies: ["root"],
        path: "auth/token/root",
        meta: null,
        display_name: "root",
        num_uses: 0,
        type: "service",
        orphan: true,
        renewable: false,
        entity_id: "",
        creation_time: Math.floor(now.getTime() / 1000),
        creation_ttl: 0,
        explicit_max_ttl: 0,
        expires: null,
      },
      storage,
      id,
    );
  }

  newId(): string {
    return `s.${randomBase62(tokenLength - 2, this.#random)}`;
  }
}

async function hashed(id: string, storage: Storage): Promise<string> {
  const salt = await storage.get(saltKey);
  if (!salt) throw new Error("the store has no token salt: it was not initialized by this product");
  return createHmac("sha256", salt).update(id).digest("base64url");
}
