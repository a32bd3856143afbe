/** What certificates, requests, lists and answers have in common: some bytes, the algorithm, and the signature over the bytes. */
import { Fields } from "../der/fields.ts";
import { bitStringBytesOf, readElement } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { bitString, sequence } from "../der/writer.ts";
import type { PublicKey } from "./key.ts";
import { isSignedBy, type Signer } from "./signature.ts";

export interface Signed {
  /** What is signed. */
  readonly toBeSigned: Uint8Array;
  /** AlgorithmIdentifier in DER. */
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
}

export const signed = (toBeSigned: Uint8Array, { algorithm, sign }: Signer): Uint8Array =>
  sequence(toBeSigned, algorithm.der, bitString(sign(toBeSigned)));

/** Throws a DerError for what is malformed. */
export function readSigned(der: Uint8Array): Signed {
  const members = new Fields(readElement(der));
  const toBeSigned = members.required(tags.sequence).whole;
  const signatureAlgorithm = members.required(tags.sequence).whole;
  const signature = bitStringBytesOf(members.next());
  members.end();
  return { toBeSigned, signatureAlgorithm, signature };
}

export const isSignatureOf = ({ toBeSigned, signatureAlgorithm, signature }: Signed, key: PublicKey): boolean =>
  isSignedBy({ algorithm: signatureAlgorithm, data: toBeSigned, signature }, key);
