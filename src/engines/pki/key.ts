/** Private keys of issuers: kept here, used here, and read by nobody. */
import { hash, type KeyObject } from "node:crypto";
import { Collection, recordBytes } from "../../api/collection.ts";
import type { Random, Storage } from "../../api/engine.ts";
import { invalidRequest, notFound } from "../../api/errors.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { type PublicKey, publicKeyOf } from "../../lib/x509/key.ts";
import { parsePrivateKey, privateKeyDer } from "../../lib/x509/private-key.ts";
import type { KeySettings, Setting } from "./config.ts";
import { isName } from "./name.ts";

interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly pkcs8: string;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: PublicKey;
}

const prefix = "key/";

export class Keys {
  readonly #storage: Storage;
  readonly #random: Random;
  readonly #settings: Setting<KeySettings>;
  readonly #names: Collection<{ readonly id: string }>;
  /** By hash of the public key. */
  readonly #prints: Collection<{ readonly id: string }>;

  constructor(storage: Storage, random: Random, settings: Setting<KeySettings>) {
    this.#storage = storage;
    this.#random = random;
    this.#settings = settings;
    this.#names = new Collection(storage, "key-name/");
    this.#prints = new Collection(storage, "key-print/");
  }

  /** By id, by name, or the one that is `default`. */
  async find(ref: string): Promise<Key | undefined> {
    if (ref === "default") {
      const id = (await this.#settings.get()).default;
      return id === "" ? undefined : this.byId(id);
    }
    if (!isName(ref)) return undefined;
    const named = await this.#names.get(ref);
    return this.byId(named?.id ?? ref);
  }

  async require(ref: string): Promise<Key> {
    const key = await this.find(ref);
    if (key) return key;
    if (ref === "default") throw invalidRequest("no default key currently configured");
    throw notFound(`unable to find PKI key for reference: ${ref}`);
  }

  async byId(id: string): Promise<Key | undefined> {
    return this.#storage.read(prefix + id, parseKey);
  }

  async withPublicKey(publicKey: PublicKey): Promise<Key | undefined> {
    const found = await this.#prints.get(printOf(publicKey));
    return found && this.byId(found.id);
  }

  /** The same key again is the one that is there already, whatever its name. */
  async add(privateKey: KeyObject, name: string): Promise<{ readonly key: Key; readonly isNew: boolean }> {
    const publicKey = publicKeyOf(privateKey);
    const known = await this.withPublicKey(publicKey);
    if (known) return { key: known, isNew: false };
    await this.requireFreeName(name);
    const key = { id: randomUuid(this.#random), name, privateKey, publicKey };
    this.#put(key);
    this.#prints.put(printOf(publicKey), { id: key.id });
    const { default: current } = await this.#settings.get();
    if (current === "") this.#settings.put({ default: key.id });
    return { key, isNew: true };
  }

  async rename(key: Key, name: string): Promise<Key> {
    if (name === key.name) return key;
    await this.requireFreeName(name);
    if (key.name !== "") this.#names.delete(key.name);
    const renamed = { ...key, name };
    this.#put(renamed);
    return renamed;
  }

  /** Answers whether it was the default. */
  async delete(key: Key): Promise<boolean> {
    this.#storage.delete(prefix + key.id);
    this.#prints.delete(printOf(key.publicKey));
    if (key.name !== "") this.#names.delete(key.name);
    const wasDefault = (await this.#settings.get()).default === key.id;
    if (wasDefault) this.#settings.put({ default: "" });
    return wasDefault;
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#storage.list(prefix, page);
  }

  async requireFreeName(name: string): Promise<void> {
    if (name === "") return;
    if (name === "default") throw invalidRequest("reserved keyword 'default' can not be used as key name");
    if (!isName(name)) throw invalidRequest("key name contained invalid characters");
    if (await this.#names.has(name)) throw invalidRequest("key name already in use");
  }

  #put({ id, name, privateKey }: Key): void {
    const pkcs8 = Buffer.from(privateKeyDer(privateKey, "pkcs8")).toString("base64");
    this.#storage.put(prefix + id, recordBytes({ id, name, pkcs8 } satisfies KeyRecord));
    if (name !== "") this.#names.put(name, { id });
  }
}

/** Once per version of the record: the store keeps what it gives. */
function parseKey(bytes: Uint8Array): Key {
  const { id, name, pkcs8 } = JSON.parse(Buffer.from(bytes).toString("utf8")) as KeyRecord;
  const privateKey = parsePrivateKey(Buffer.from(pkcs8, "base64"));
  return { id, name, privateKey, publicKey: publicKeyOf(privateKey) };
}

const printOf = ({ spki }: PublicKey): string => hash("sha256", spki, "hex");
