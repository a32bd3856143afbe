/** Issuers: certificates of authorities, and how each may be used. */
import { hash } from "node:crypto";
import { Collection, recordBytes } from "../../api/collection.ts";
import type { Clock, Random, Storage } from "../../api/engine.ts";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { type Certificate, parseCertificate } from "../../lib/x509/certificate.ts";
import { isSelfSigned } from "../../lib/x509/issuing.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { chainsAmong } from "./chain.ts";
import type { IssuerSettings, Setting, UrlSettings } from "./config.ts";
import { isName } from "./name.ts";

export const usages = ["crl-signing", "issuing-certificates", "ocsp-signing", "read-only"] as const;
export type Usage = (typeof usages)[number];

export const leafRules = ["err", "truncate", "permit"] as const;
export type LeafRule = (typeof leafRules)[number];

export interface IssuerRecord {
  readonly id: string;
  readonly name: string;
  /** Empty while the key is not here. */
  readonly key_id: string;
  /** Base64 of its DER. */
  readonly der: string;
  /** Ids; empty for the chain that follows from the certificates. */
  readonly manual_chain: readonly string[];
  /** Ids, itself first. */
  readonly chain: readonly string[];
  readonly leaf_not_after_behavior: LeafRule;
  readonly usage: readonly Usage[];
  /** Empty for what fits the key. */
  readonly revocation_signature_algorithm: string;
  /** Milliseconds since the epoch; 0 unless revoked. */
  readonly revoked_at: number;
  /** In place of the mount's, if there are any. */
  readonly urls?: UrlSettings | undefined;
  /** A root that was made here: clients have it already, so it is left out of bundles. */
  readonly is_own_root: boolean;
  /** Milliseconds since the epoch. */
  readonly changed_at: number;
}

export interface Issuer extends IssuerRecord {
  readonly certificate: Certificate;
  readonly pem: string;
  readonly isSelfSigned: boolean;
  /** Issuers with one name and one key are one to the outside: they share a CRL. */
  readonly group: string;
}

export interface NewIssuer {
  readonly certificate: Certificate;
  readonly keyId: string;
  readonly name: string;
  readonly isOwnRoot?: boolean;
  readonly revocationAlgorithm?: string;
}

const prefix = "issuer/";

export class Issuers {
  readonly #storage: Storage;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #settings: Setting<IssuerSettings>;
  readonly #names: Collection<{ readonly id: string }>;
  /** By hash of the certificate. */
  readonly #prints: Collection<{ readonly id: string }>;
  /** Which issuer has a serial number, so that it is not revoked like any other certificate. */
  readonly #serials: Collection<{ readonly id: string }>;

  constructor(
    storage: Storage,
    { random, clock }: { random: Random; clock: Clock },
    settings: Setting<IssuerSettings>,
  ) {
    this.#storage = storage;
    this.#random = random;
    this.#clock = clock;
    this.#settings = settings;
    this.#names = new Collection(storage, "issuer-name/");
    this.#prints = new Collection(storage, "issuer-print/");
    this.#serials = new Collection(storage, "issuer-serial/");
  }

  /** By id, by name, or the one that is `default`. */
  async find(ref: string): Promise<Issuer | undefined> {
    if (ref === "default" || ref === "") {
      const id = (await this.#settings.get()).default;
      return id === "" ? undefined : this.byId(id);
    }
    if (!isName(ref)) return undefined;
    const named = await this.#names.get(ref);
    return this.byId(named?.id ?? ref);
  }

  /** `status` is that of an unknown reference: 404 where it is in the path, 400 where a role or a body names it. */
  async require(ref: string, status: 400 | 404 = 404, words = ""): Promise<Issuer> {
    const issuer = await this.find(ref);
    if (issuer) return issuer;
    if (ref === "default" || ref === "") throw invalidRequest(`${words}no default issuer currently configured`);
    throw new ApiError(status, `${words}unable to find PKI issuer for reference: ${ref}`);
  }

  byId(id: string): Promise<Issuer | undefined> {
    return this.#storage.read(prefix + id, parseIssuer);
  }

  async withSerial(serial: string): Promise<Issuer | undefined> {
    const found = await this.#serials.get(serial);
    return found && this.byId(found.id);
  }

  list(page?: PageRequest): Promise<string[]> {
    return this.#storage.list(prefix, page);
  }

  async all(): Promise<Issuer[]> {
    const found = await Promise.all((await this.list()).map((id) => this.byId(id)));
    return found.filter((issuer) => issuer !== undefined);
  }

  /** The same certificate again is the issuer that is there already. Chains are not brought up to date. */
  async add(given: NewIssuer, serial: string): Promise<{ readonly issuer: Issuer; readonly isNew: boolean }> {
    const known = await this.#prints.get(printOf(given.certificate));
    const before = known && (await this.byId(known.id));
    if (before) return { issuer: before, isNew: false };
    await this.requireFreeName(given.name);
    const record = newRecord(given, randomUuid(this.#random), this.#clock.now());
    this.#put(record);
    this.#prints.put(printOf(given.certificate), { id: record.id });
    this.#serials.put(serial, { id: record.id });
    return { issuer: withCertificate(record), isNew: true };
  }

  async save(before: Issuer, changes: Partial<IssuerRecord>): Promise<Issuer> {
    const name = changes.name ?? before.name;
    if (name !== before.name) {
      await this.requireFreeName(name);
      if (before.name !== "") this.#names.delete(before.name);
    }
    const after = { ...recordOf(before), ...changes };
    this.#put(after);
    return withCertificate(after);
  }

  async delete(issuer: Issuer, serial: string): Promise<boolean> {
    this.#storage.delete(prefix + issuer.id);
    this.#prints.delete(printOf(issuer.certificate));
    this.#serials.delete(serial);
    if (issuer.name !== "") this.#names.delete(issuer.name);
    const settings = await this.#settings.get();
    if (settings.default !== issuer.id) return false;
    this.#settings.put({ ...settings, default: "" });
    return true;
  }

  async setDefault(settings: IssuerSettings): Promise<void> {
    const before = await this.#settings.get();
    this.#settings.put(settings);
    if (before.default === settings.default) return;
    // Whoever asks whether `ca` has changed must hear of it.
    for (const id of [before.default, settings.default]) {
      const issuer = id === "" ? undefined : await this.byId(id);
      if (issuer) this.#put({ ...recordOf(issuer), changed_at: this.#clock.now() });
    }
  }

  /** To be called whenever an issuer came or went, or was given a chain by hand. */
  async rebuildChains(): Promise<void> {
    const issuers = (await this.all()).sort((a, b) => (a.id < b.id ? 1 : -1));
    for (const [issuer, chain] of chainsAmong(issuers)) {
      if (chain.join() !== issuer.chain.join()) this.#put({ ...recordOf(issuer), chain });
    }
  }

  async chainOf(issuer: Issuer): Promise<Issuer[]> {
    const found = await Promise.all(issuer.chain.map((id) => (id === issuer.id ? issuer : this.byId(id))));
    return found.filter((link) => link !== undefined);
  }

  async requireFreeName(name: string): Promise<void> {
    if (name === "") return;
    if (name === "default") throw invalidRequest("reserved keyword 'default' can not be used as issuer name");
    if (!isName(name)) throw invalidRequest("issuer name contained invalid characters");
    if (await this.#names.has(name)) throw invalidRequest("issuer name already in use");
  }

  #put(record: IssuerRecord): void {
    this.#storage.put(prefix + record.id, recordBytes(record));
    if (record.name !== "") this.#names.put(record.name, { id: record.id });
  }
}

const newRecord = (given: NewIssuer, id: string, now: number): IssuerRecord => ({
  id,
  name: given.name,
  key_id: given.keyId,
  der: Buffer.from(given.certificate.der).toString("base64"),
  manual_chain: [],
  chain: [id],
  leaf_not_after_behavior: "err",
  usage: usages.filter((usage) => usage !== "crl-signing" || maySignCrls(given.certificate)),
  revocation_signature_algorithm: given.revocationAlgorithm ?? "",
  revoked_at: 0,
  is_own_root: given.isOwnRoot ?? false,
  changed_at: now,
});

/** A certificate without key usages may do everything. */
export const maySignCrls = ({ extensions }: Certificate): boolean =>
  extensions.keyUsages === undefined || extensions.keyUsages.includes("CRLSign");

function parseIssuer(bytes: Uint8Array): Issuer {
  return withCertificate(JSON.parse(Buffer.from(bytes).toString("utf8")) as IssuerRecord);
}

function withCertificate(record: IssuerRecord): Issuer {
  const certificate = parseCertificate(Buffer.from(record.der, "base64"));
  return {
    ...record,
    certificate,
    pem: pemText("CERTIFICATE", certificate.der),
    isSelfSigned: isSelfSigned(certificate),
    group: hash("sha256", Buffer.concat([certificate.subject.der, certificate.spki]), "hex").slice(0, 32),
  };
}

function recordOf({ certificate: _, pem: __, isSelfSigned: ___, group: ____, ...record }: Issuer): IssuerRecord {
  return record;
}

const printOf = ({ der }: Certificate): string => hash("sha256", der, "hex");
