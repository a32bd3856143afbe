/** Questions to the OCSP service, read. RFC 6960, section 4.1. */
import { hash } from "node:crypto";
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, integerOf, membersOf, objectIdentifierOf, octetsOf, readElement } from "../der/reader.ts";
import { constructed, tags } from "../der/tags.ts";
import { extensionIds, readExtensions } from "./extension.ts";
import type { PublicKey } from "./key.ts";
import { reading } from "./x509-error.ts";

export interface CertificateId {
  /** As it stood, to be echoed. */
  readonly der: Uint8Array;
  readonly hash: "sha1" | "sha256" | "sha384" | "sha512";
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  readonly serial: bigint;
}

export interface OcspRequest {
  readonly certificates: readonly CertificateId[];
  readonly nonce: Uint8Array | undefined;
}

const hashes = new Map<string, CertificateId["hash"]>([
  ["1.3.14.3.2.26", "sha1"],
  ["2.16.840.1.101.3.4.2.1", "sha256"],
  ["2.16.840.1.101.3.4.2.2", "sha384"],
  ["2.16.840.1.101.3.4.2.3", "sha512"],
]);
const mostCertificates = 64;
/** RFC 9654. */
const longestNonce = 128;

/** X509Error for anything malformed, unknown hashes, a nonce that is empty or longer than 128 bytes, or more than 64 certificates. */
export const parseOcspRequest = (der: Uint8Array): OcspRequest =>
  reading("OCSP request", () => {
    const outer = new Fields(readElement(der));
    const members = new Fields(outer.required(tags.sequence));
    // Requests may be signed; who asks does not matter here.
    outer.optional(constructed(0));
    outer.end();
    const version = members.optional(constructed(0));
    if (version && integerOf(readElement(version.content)) !== 0n) throw new DerError("only version 1 is known");
    members.optional(constructed(1));
    const list = membersOf(members.next());
    const wrapper = members.optional(constructed(2));
    members.end();
    if (list.length === 0 || list.length > mostCertificates) {
      throw new DerError(`it must ask about 1 to ${mostCertificates} certificates`);
    }
    return { certificates: list.map(readQuestion), nonce: wrapper && nonceIn(wrapper) };
  });

function readQuestion(element: Element): CertificateId {
  const members = new Fields(element);
  const id = members.required(tags.sequence);
  members.optional(constructed(0));
  members.end();
  return readCertificateId(id);
}

function readCertificateId(element: Element): CertificateId {
  const members = new Fields(element);
  const algorithm = hashes.get(objectIdentifierOf(new Fields(members.next()).next()));
  if (!algorithm) throw new DerError("it uses a hash other than SHA-1, SHA-256, SHA-384 and SHA-512");
  const issuerNameHash = octetsOf(members.next());
  const issuerKeyHash = octetsOf(members.next());
  const serial = integerOf(members.next());
  members.end();
  return { der: element.whole, hash: algorithm, issuerNameHash, issuerKeyHash, serial };
}

function nonceIn(wrapper: Element): Uint8Array | undefined {
  const found = readExtensions(readElement(wrapper.content)).find(({ oid }) => oid === extensionIds.ocspNonce);
  if (!found) return undefined;
  const nonce = octetsOf(readElement(found.value));
  if (nonce.length === 0 || nonce.length > longestNonce) throw new DerError("its nonce is empty or too long");
  return nonce;
}

/** Whether the question is about a certificate of this issuer. `subject`: its name in DER. */
export const isAskedOf = (
  id: CertificateId,
  issuer: { readonly subject: Uint8Array; readonly publicKey: PublicKey },
): boolean =>
  Buffer.compare(hashOf(id.hash, issuer.publicKey.keyBits), id.issuerKeyHash) === 0 &&
  Buffer.compare(hashOf(id.hash, issuer.subject), id.issuerNameHash) === 0;

/** The same few issuers are asked about all the time. */
const knownHashes = new WeakMap<Uint8Array, Map<string, Buffer>>();

function hashOf(algorithm: string, bytes: Uint8Array): Buffer {
  const known = knownHashes.get(bytes) ?? new Map<string, Buffer>();
  knownHashes.set(bytes, known);
  const found = known.get(algorithm) ?? hash(algorithm, bytes, "buffer");
  known.set(algorithm, found);
  return found;
}
