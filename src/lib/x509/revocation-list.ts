/** Revocation lists (CRL): built without holding up the event loop, and read. RFC 5280, section 5. */
import type { Extension } from "./extension.ts";
import type { Name } from "./name.ts";
import type { Signer } from "./signature.ts";

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

export interface RevocationList {
  readonly der: Uint8Array;
  readonly toBeSigned: Uint8Array;
  readonly issuer: Name;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  readonly extensions: readonly Extension[];
  readonly number: bigint | undefined;
  /** Number of the complete list that a delta builds on; undefined for complete lists. */
  readonly baseNumber: bigint | undefined;
  readonly authorityKeyId: Uint8Array | undefined;
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
  /** Read as they are asked for: X509Error for one that is malformed. */
  entries(): IterableIterator<RevokedEntry>;
}

/** DER. Gives way to other work every few milliseconds. */
export function buildRevocationList(_fields: RevocationListFields, _signer: Signer): Promise<Uint8Array> {
  throw new Error("not written yet");
}

export function parseRevocationList(_der: Uint8Array): RevocationList {
  throw new Error("not written yet");
}
