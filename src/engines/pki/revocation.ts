/** What was revoked, when and why; and what of it no list of an issuer tells yet. */
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import type { RevokedEntry } from "../../lib/x509/revocation-list.ts";
import { parseSerialText } from "../../lib/x509/serial-number.ts";

export interface Revocation {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Code of RFC 5280, 5.3.1. */
  readonly reason: number;
  readonly issuer_id: string;
  /** Seconds since the epoch. */
  readonly not_after: number;
}

const marker = Buffer.from("1");
const pageSize = 2000;

/** Entries are told by their keys alone, so that a list of a hundred thousand is built without reading one record. */
const entryName = (serial: string, { at, reason }: Revocation): string =>
  `${serial}~${Math.floor(at / 1000)}~${reason}`;

export class Revocations {
  readonly #storage: Storage;
  readonly #records: Collection<Revocation>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#records = new Collection(storage, "revoked/");
  }

  get(serial: string): Promise<Revocation | undefined> {
    return this.#records.get(serial);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }

  /** `isForDelta`: the next delta list is to tell of it too. */
  put(serial: string, revocation: Revocation, isForDelta: boolean): void {
    this.#records.put(serial, revocation);
    const place = `${revocation.issuer_id || "-"}/${entryName(serial, revocation)}`;
    this.#storage.put(`listed/${place}`, marker);
    if (isForDelta) this.#storage.put(`unlisted/${place}`, marker);
  }

  delete(serial: string, revocation: Revocation): void {
    this.#records.delete(serial);
    const name = entryName(serial, revocation);
    this.#storage.delete(`listed/${revocation.issuer_id || "-"}/${name}`);
    this.#storage.delete(`unlisted/${revocation.issuer_id || "-"}/${name}`);
  }

  /** Ids under which something was revoked, also of issuers that are gone. */
  async issuerIds(): Promise<string[]> {
    const folders = await this.#storage.list("listed/");
    return folders.map((folder) => folder.slice(0, -1));
  }

  entries(issuerIds: readonly string[]): AsyncGenerator<RevokedEntry> {
    return this.#entriesIn("listed", issuerIds);
  }

  /** Those since the last complete list. */
  newEntries(issuerIds: readonly string[]): AsyncGenerator<RevokedEntry> {
    return this.#entriesIn("unlisted", issuerIds);
  }

  async hasNew(issuerIds: readonly string[]): Promise<boolean> {
    for (const id of issuerIds) if ((await this.#storage.list(`unlisted/${id}/`, { limit: 1 })).length > 0) return true;
    return false;
  }

  /** A complete list tells all of these. */
  async forgetNew(issuerIds: readonly string[]): Promise<void> {
    for (const id of issuerIds) {
      for (const name of await this.#storage.list(`unlisted/${id}/`)) this.#storage.delete(`unlisted/${id}/${name}`);
    }
  }

  async *#entriesIn(folder: "listed" | "unlisted", issuerIds: readonly string[]): AsyncGenerator<RevokedEntry> {
    const seen = new Set<string>();
    for (const id of issuerIds) {
      let after: string | undefined;
      for (;;) {
        const page = await this.#storage.list(`${folder}/${id}/`, { after, limit: pageSize });
        for (const name of page) {
          const [serial = "", seconds, reason] = name.split("~");
          if (issuerIds.length > 1) {
            if (seen.has(serial)) continue;
            seen.add(serial);
          }
          yield {
            serial: parseSerialText(serial) ?? 0n,
            revokedAt: new Date(Number(seconds) * 1000),
            reason: Number(reason),
          };
        }
        after = page.at(-1);
        if (page.length < pageSize) break;
      }
    }
  }
}
