/** Secret ids of roles: kept as keyed hashes, found again by an accessor, spent by use and by time. */
import { createHmac } from "node:crypto";
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import type { Role } from "./role.ts";

export interface SecretId {
  readonly accessor: string;
  /** Uses that are left; 0 for no limit. */
  readonly uses: number;
  /** Seconds as asked for; 0 for no end. */
  readonly ttl: number;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
  readonly expires: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cidr_list: readonly string[];
  readonly token_bound_cidrs: readonly string[];
}

export interface FoundSecretId {
  readonly secret: SecretId;
  readonly hash: string;
}

/** How many secret ids of a deleted role go in one transaction. */
const perTransaction = 200;

export class SecretIds {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async find(role: Role, secretId: string): Promise<FoundSecretId | undefined> {
    return this.#found(role, hashOf(role, secretId));
  }

  async withAccessor(role: Role, accessor: string): Promise<FoundSecretId | undefined> {
    const index = await this.#accessors(role.folder).get(accessor);
    return index && this.#found(role, index.hash);
  }

  add(role: Role, secretId: string, secret: SecretId): void {
    this.#write(role, { secret, hash: hashOf(role, secretId) });
    this.#accessors(role.folder).put(secret.accessor, { hash: hashOf(role, secretId) });
  }

  /** Takes one use off; the last one takes the secret id with it. */
  spend(role: Role, { secret, hash }: FoundSecretId, now: Date): void {
    if (secret.uses === 0) return;
    if (secret.uses === 1) this.remove(role.folder, { secret, hash });
    else this.#write(role, { hash, secret: { ...secret, uses: secret.uses - 1, updated: now.getTime() } });
  }

  remove(folder: string, { secret, hash }: FoundSecretId): void {
    this.#secrets(folder).delete(hash);
    this.#accessors(folder).delete(secret.accessor);
  }

  listAccessors(role: Role, page: PageRequest): Promise<string[]> {
    return this.#accessors(role.folder).list(page);
  }

  /** Deletes those of a role that is gone; what does not fit into this transaction is left to tidying. */
  async removeAll(folder: string): Promise<void> {
    const isDone = await this.removeSome(folder);
    if (!isDone) this.#storage.put(`retired/${folder}`, new Uint8Array());
  }

  /** Answers whether nothing is left. */
  async removeSome(folder: string): Promise<boolean> {
    const hashes = await this.#secrets(folder).list({ limit: perTransaction });
    for (const hash of hashes) {
      const secret = await this.#secrets(folder).get(hash);
      if (secret) this.remove(folder, { secret, hash });
    }
    return hashes.length < perTransaction;
  }

  retiredFolders(): Promise<string[]> {
    return this.#storage.list("retired/", { limit: 1 });
  }

  forgetRetired(folder: string): void {
    this.#storage.delete(`retired/${folder}`);
  }

  /** Folders of roles, each with a slash. */
  folders(page: PageRequest): Promise<string[]> {
    return this.#storage.list("secret/", page);
  }

  /** Deletes what has expired among the next so many secret ids; answers which those were. */
  async removeExpired(folder: string, page: PageRequest, now: Date): Promise<readonly string[]> {
    const hashes = await this.#secrets(folder).list(page);
    for (const hash of hashes) {
      const secret = await this.#secrets(folder).get(hash);
      if (secret && isExpired(secret, now)) this.remove(folder, { secret, hash });
    }
    return hashes;
  }

  async #found(role: Role, hash: string): Promise<FoundSecretId | undefined> {
    const secret = await this.#secrets(role.folder).get(hash);
    return secret && { secret, hash };
  }

  #write(role: Role, { secret, hash }: FoundSecretId): void {
    this.#secrets(role.folder).put(hash, secret);
  }

  #secrets(folder: string): Collection<SecretId> {
    return new Collection(this.#storage, `secret/${folder}/`);
  }

  #accessors(folder: string): Collection<{ readonly hash: string }> {
    return new Collection(this.#storage, `accessor/${folder}/`);
  }
}

export const isExpired = ({ expires }: SecretId, now: Date): boolean => expires !== null && now.getTime() >= expires;

const hashOf = ({ hash_key }: Role, secretId: string): string =>
  createHmac("sha256", Buffer.from(hash_key, "hex")).update(secretId).digest("hex");
