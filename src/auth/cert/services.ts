/** What the handlers of this auth method work with. */
import { Collection, Single } from "../../api/collection.ts";
import type { Clock, Mount, MountInfo, Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { foldedName, isRoleName } from "../../api/role-name.ts";
import { revokedSerials } from "./crl.ts";
import { type Entry, parseEntry, type TrustedEntry } from "./entry.ts";

export interface CertConfig {
  readonly disable_binding: boolean;
  readonly enable_identity_alias_metadata: boolean;
}

export interface CertServices {
  readonly entries: Entries;
  readonly crls: Crls;
  readonly config: Single<CertConfig>;
  readonly mount: MountInfo;
  readonly clock: Clock;
}

export class Entries {
  readonly #storage: Storage;
  readonly #entries: Collection<Entry>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#entries = new Collection(storage, "cert/");
  }

  /** Undefined also for what can be no entry's name. */
  async find(name: string): Promise<TrustedEntry | undefined> {
    return isRoleName(name) ? this.#storage.read(`cert/${foldedName(name)}`, parseEntry) : undefined;
  }

  async all(): Promise<TrustedEntry[]> {
    const names = await this.#entries.list();
    const found = await Promise.all(names.map((name) => this.find(name)));
    return found.filter((entry) => entry !== undefined);
  }

  put(entry: Entry): void {
    this.#entries.put(entry.name, entry);
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }

  list(page: PageRequest): Promise<string[]> {
    return this.#entries.list(page);
  }
}

/** Revocation lists are kept as they came. */
export class Crls {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async find(name: string): Promise<ReadonlySet<bigint> | undefined> {
    return isRoleName(name) ? this.#storage.read(`crl/${foldedName(name)}`, revokedSerials) : undefined;
  }

  async isRevoked(serials: readonly bigint[]): Promise<boolean> {
    for (const name of await this.list()) {
      const revoked = await this.find(name);
      if (revoked && serials.some((serial) => revoked.has(serial))) return true;
    }
    return false;
  }

  put(name: string, der: Uint8Array): void {
    this.#storage.put(`crl/${name}`, der);
  }

  delete(name: string): void {
    this.#storage.delete(`crl/${name}`);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#storage.list("crl/", page);
  }
}

export const certServices = ({ storage, host }: Mount): CertServices => ({
  entries: new Entries(storage),
  crls: new Crls(storage),
  config: new Single(storage, "config"),
  mount: host.mount,
  clock: host.clock,
});
