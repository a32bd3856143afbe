/** Revocation lists (CRL): built without holding up the event loop, and read. RFC 5280, section 5. */
import { setImmediate } from "node:timers/promises";
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, eachElement, integerOf, readElement, smallIntegerOf } from "../der/reader.ts";
import { constructed, tags } from "../der/tags.ts";
import { time, timeOf } from "../der/time.ts";
import { bitString, elementHeader, explicit, integer, sequence } from "../der/writer.ts";
import { type Extension, extensionIds, readExtensions } from "./extension.ts";
import { parseAuthorityKeyId } from "./key-identifier.ts";
import { type Name, readName } from "./name.ts";
import { reasonCode, revocationReasons } from "./revocation-extensions.ts";
import type { Signer } from "./signature.ts";
import { readSigned, type Signed } from "./signed.ts";
import { reading, writing, X509Error } from "./x509-error.ts";

export interface RevokedEntry {
  readonly serial: bigint;
  readonly revokedAt: Date;
  /** Code of RFC 5280, 5.3.1; 0 (unspecified) is left out. */
  readonly reason?: number | undefined;
  /** Further extensions of the entry. */
  readonly extensions?: readonly Extension[] | undefined;
}

export interface RevocationListFields {
  /** Name in DER. */
  readonly issuer: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** authorityKeyId, crlNumber, deltaCrlIndicator, freshestCrl, …. */
  readonly extensions: readonly Extension[];
  readonly entries: Iterable<RevokedEntry> | AsyncIterable<RevokedEntry>;
}

export interface RevocationList extends Signed {
  readonly der: Uint8Array;
  readonly issuer: Name;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly extensions: readonly Extension[];
  readonly number: bigint | undefined;
  /** Number of the complete list that a delta builds on; undefined for complete lists. */
  readonly baseNumber: bigint | undefined;
  readonly authorityKeyId: Uint8Array | undefined;
  /** Read as they are asked for: X509Error for one that is malformed. */
  entries(): IterableIterator<RevokedEntry>;
}

/** Entries that are encoded before other work gets its turn: some three milliseconds. */
const batchSize = 1024;

/** DER. Gives way to other work every few milliseconds. */
export async function buildRevocationList(fields: RevocationListFields, signer: Signer): Promise<Uint8Array> {
  const entries = await encodeEntries(fields.entries);
  const toBeSigned = buildToBeSigned(fields, signer, entries);
  // Each step copies some megabytes of a long list.
  await setImmediate();
  return sequence(toBeSigned, signer.algorithm.der, bitString(await signer.signLater(toBeSigned)));
}

function buildToBeSigned(
  fields: RevocationListFields,
  { algorithm }: Signer,
  entries: readonly Uint8Array[],
): Uint8Array {
  const { issuer, thisUpdate, nextUpdate, extensions } = fields;
  if (new Set(extensions.map(({ oid }) => oid)).size !== extensions.length) {
    throw new X509Error("a revocation list cannot have two extensions of one kind");
  }
  const times = writing("revocation list", () => [time(thisUpdate), time(nextUpdate)]);
  // A list without entries has no sequence for them (RFC 5280, 5.1.2.6).
  const size = entries.reduce((sum, { length }) => sum + length, 0);
  const revoked = size > 0 ? [elementHeader(tags.sequence, size), ...entries] : [];
  const wrapped = extensions.length > 0 ? [explicit(0, sequence(...extensions.map(({ der }) => der)))] : [];
  return sequence(integer(1), algorithm.der, issuer, ...times, ...revoked, ...wrapped);
}

/** One piece of bytes per batch: a hundred thousand small ones would keep the garbage collector busy. */
async function encodeEntries(entries: RevocationListFields["entries"]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let batch: Uint8Array[] = [];
  for await (const entry of entries) {
    batch.push(encodeEntry(entry));
    if (batch.length < batchSize) continue;
    pieces.push(Buffer.concat(batch));
    batch = [];
    await setImmediate();
  }
  if (batch.length > 0) pieces.push(Buffer.concat(batch));
  return pieces;
}

const reasons = new Map(Object.values(revocationReasons).map((code) => [code as number, reasonCode(code)]));

function encodeEntry({ serial, revokedAt, reason = 0, extensions = [] }: RevokedEntry): Uint8Array {
  const all = reason === 0 ? extensions : [reasons.get(reason) ?? reasonCode(reason), ...extensions];
  const base = [integer(serial), writing("revocation date", () => time(revokedAt))];
  return all.length === 0 ? sequence(...base) : sequence(...base, sequence(...all.map(({ der }) => der)));
}

/** X509Error for anything that is no sound list; what is wrong inside an entry shows when it is reached. */
export const parseRevocationList = (der: Uint8Array): RevocationList =>
  reading("revocation list", () => {
    const outer = readSigned(der);
    const members = new Fields(readElement(outer.toBeSigned));
    const version = members.optional(tags.integer);
    if (version && integerOf(version) !== 1n) throw new DerError("only versions 1 and 2 are known");
    if (Buffer.compare(members.required(tags.sequence).whole, outer.signatureAlgorithm) !== 0) {
      throw new DerError("it names two different signature algorithms");
    }
    const issuer = readName(members.required(tags.sequence).whole);
    const thisUpdate = timeOf(members.next());
    const next = members.optional(tags.utcTime, tags.generalizedTime);
    const revoked = members.optional(tags.sequence);
    const wrapper = members.optional(constructed(0));
    members.end();
    const extensions = wrapper ? readExtensions(readElement(wrapper.content)) : [];
    const numberIn = (oid: string) => {
      const found = extensions.find((each) => each.oid === oid);
      return found && integerOf(readElement(found.value));
    };
    const authority = extensions.find(({ oid }) => oid === extensionIds.authorityKeyId);
    return {
      ...outer,
      ...{ der, issuer, thisUpdate, extensions },
      nextUpdate: next && timeOf(next),
      number: numberIn(extensionIds.crlNumber),
      baseNumber: numberIn(extensionIds.deltaCrlIndicator),
      authorityKeyId: authority && parseAuthorityKeyId(authority.value),
      entries: () => readEntries(revoked?.content ?? new Uint8Array()),
    };
  });

function* readEntries(content: Uint8Array): Generator<RevokedEntry, void, undefined> {
  const elements = eachElement(content);
  for (;;) {
    const entry = reading("entry of a revocation list", () => {
      const { value, done } = elements.next();
      return done ? undefined : readEntry(value);
    });
    if (!entry) return;
    yield entry;
  }
}

function readEntry(element: Element): RevokedEntry {
  const members = new Fields(element);
  const serial = integerOf(members.next());
  const revokedAt = timeOf(members.next());
  const list = members.optional(tags.sequence);
  members.end();
  if (!list) return { serial, revokedAt };
  const extensions = readExtensions(list);
  const reason = extensions.find(({ oid }) => oid === extensionIds.reasonCode);
  return {
    serial,
    revokedAt,
    reason: reason && smallIntegerOf(readElement(reason.value), tags.enumerated),
    extensions: extensions.filter((each) => each !== reason),
  };
}
