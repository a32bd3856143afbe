/** Certificates that were issued: kept by serial number, and found by name, role, issuer and end. */
import { hash } from "node:crypto";
import { Collection } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { type Certificate, parseCertificate } from "../../lib/x509/certificate.ts";
import { subjectOf } from "../../lib/x509/name.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { serialText } from "../../lib/x509/serial-number.ts";

export interface StoredCertificate {
  /** Base64 of its DER. */
  readonly der: string;
  /** Empty where it is not known. */
  readonly issuer_id: string;
  readonly role: string;
  readonly common_name: string;
  /** Alternative names of every kind, as text. */
  readonly names: readonly string[];
  /** Seconds since the epoch. */
  readonly not_before: number;
  readonly not_after: number;
  readonly key_type: string;
  readonly key_bits: number;
}

/** The orders that certificates can be gone through in; each is sorted by their end. */
export type Order = { readonly by: "expiry" } | { readonly by: "role" | "issuer" | "name"; readonly value: string };

const marker = Buffer.from("1");

export class Certificates {
  readonly #storage: Storage;
  readonly #records: Collection<StoredCertificate>;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#records = new Collection(storage, "cert/");
  }

  get(serial: string): Promise<StoredCertificate | undefined> {
    return this.#records.get(serial);
  }

  /** Also remembers that the serial number was free: two with the same one can never both be stored. */
  async isFree(serial: string): Promise<boolean> {
    return (await this.get(serial)) === undefined;
  }

  put(serial: string, record: StoredCertificate): void {
    this.#records.put(serial, record);
    for (const key of indexKeys(serial, record)) this.#storage.put(key, marker);
  }

  delete(serial: string, record: StoredCertificate): void {
    this.#records.delete(serial);
    for (const key of indexKeys(serial, record)) this.#storage.delete(key);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#records.list(page);
  }

  /** Places in the order, which `after` takes too. */
  places(order: Order, page: PageRequest): Promise<string[]> {
    return this.#storage.list(folderOf(order), page);
  }
}

/** `after` such a place come those that end at `seconds` or later. */
export const placeBefore = (seconds: number): string => padded(seconds);

export const serialAt = (place: string): string => place.slice(place.indexOf("~") + 1);
export const endAt = (place: string): number => Number(place.slice(0, place.indexOf("~")));

const padded = (seconds: number): string => String(Math.max(0, Math.floor(seconds))).padStart(12, "0");

const folderOf = (order: Order): string =>
  order.by === "expiry" ? "by-expiry/" : `by-${order.by}/${order.by === "name" ? nameKey(order.value) : order.value}/`;

/** Names may be longer than keys of the store, and hold slashes. */
const nameKey = (name: string): string => hash("sha256", name.toLowerCase(), "hex").slice(0, 32);

function indexKeys(serial: string, { issuer_id, role, common_name, names, not_after }: StoredCertificate): string[] {
  const place = `${padded(not_after)}~${serial}`;
  const folders = [folderOf({ by: "expiry" })];
  if (issuer_id !== "") folders.push(folderOf({ by: "issuer", value: issuer_id }));
  if (role !== "") folders.push(folderOf({ by: "role", value: role }));
  const all = new Set([common_name, ...names].filter((name) => name !== "").map(nameKey));
  for (const key of all) folders.push(`by-name/${key}/`);
  return folders.map((folder) => folder + place);
}

export function storedForm(certificate: Certificate, issuer_id: string, role: string): StoredCertificate {
  const { dnsNames, emails, ips, uris, otherNames } = certificate.extensions.names;
  const { kind } = certificate.publicKey;
  return {
    der: Buffer.from(certificate.der).toString("base64"),
    issuer_id,
    role,
    common_name: subjectOf(certificate.subject).commonName,
    names: [...dnsNames, ...emails, ...ips, ...uris, ...otherNames.map(({ value }) => value)],
    not_before: Math.floor(certificate.notBefore.getTime() / 1000),
    not_after: Math.floor(certificate.notAfter.getTime() / 1000),
    key_type: kind.type,
    key_bits: kind.bits,
  };
}

export const derOf = ({ der }: StoredCertificate): Buffer => Buffer.from(der, "base64");
export const pemOf = (stored: StoredCertificate): string => pemText("CERTIFICATE", derOf(stored));
export const parsedForm = (stored: StoredCertificate): Certificate => parseCertificate(derOf(stored));
export const serialOf = (certificate: Certificate): string => serialText(certificate.serial);
