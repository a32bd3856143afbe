/** The table of signature algorithms, and their identifiers in DER. RFC 4055, 5758, 8410, 9881. */
import { DerError } from "../der/der-error.ts";
import { Fields } from "../der/fields.ts";
import { type Element, objectIdentifierOf, readElement, smallIntegerOf } from "../der/reader.ts";
import { constructed, tags } from "../der/tags.ts";
import { explicit, integer, nothing, objectIdentifier, sequence } from "../der/writer.ts";
import type { Hash, SignatureAlgorithm, SignatureName } from "./signature.ts";

const hashes = {
  sha256: { id: "2.16.840.1.101.3.4.2.1", size: 32 },
  sha384: { id: "2.16.840.1.101.3.4.2.2", size: 48 },
  sha512: { id: "2.16.840.1.101.3.4.2.3", size: 64 },
} as const;
const pssId = "1.2.840.113549.1.1.10";
const maskId = "1.2.840.113549.1.1.8";

const rsa = (name: SignatureName, hash: Hash, id: string): SignatureAlgorithm => ({
  name,
  keyType: "rsa",
  hash,
  isPss: false,
  der: sequence(objectIdentifier(id), nothing),
});

const pss = (name: SignatureName, hash: Hash): SignatureAlgorithm => {
  const digest = sequence(objectIdentifier(hashes[hash].id), nothing);
  const parameters = sequence(
    explicit(0, digest),
    explicit(1, sequence(objectIdentifier(maskId), digest)),
    explicit(2, integer(hashes[hash].size)),
  );
  return { name, keyType: "rsa", hash, isPss: true, der: sequence(objectIdentifier(pssId), parameters) };
};

const plain = (
  name: SignatureName,
  keyType: SignatureAlgorithm["keyType"],
  id: string,
  hash?: Hash,
): SignatureAlgorithm => ({ name, keyType, hash, isPss: false, der: sequence(objectIdentifier(id)) });

export const algorithms: readonly SignatureAlgorithm[] = [
  rsa("SHA256WithRSA", "sha256", "1.2.840.113549.1.1.11"),
  rsa("SHA384WithRSA", "sha384", "1.2.840.113549.1.1.12"),
  rsa("SHA512WithRSA", "sha512", "1.2.840.113549.1.1.13"),
  pss("SHA256WithRSAPSS", "sha256"),
  pss("SHA384WithRSAPSS", "sha384"),
  pss("SHA512WithRSAPSS", "sha512"),
  plain("ECDSAWithSHA256", "ec", "1.2.840.10045.4.3.2", "sha256"),
  plain("ECDSAWithSHA384", "ec", "1.2.840.10045.4.3.3", "sha384"),
  plain("ECDSAWithSHA512", "ec", "1.2.840.10045.4.3.4", "sha512"),
  plain("Ed25519", "ed25519", "1.3.101.112"),
  plain("ML-DSA-44", "ml-dsa", "2.16.840.1.101.3.4.3.17"),
  plain("ML-DSA-65", "ml-dsa", "2.16.840.1.101.3.4.3.18"),
  plain("ML-DSA-87", "ml-dsa", "2.16.840.1.101.3.4.3.19"),
];

const keyOf = (der: Uint8Array): string => Buffer.from(der).toString("latin1");
const byIdentifier = new Map(algorithms.map((algorithm) => [keyOf(algorithm.der), algorithm]));

export interface UsedAlgorithm {
  readonly algorithm: SignatureAlgorithm;
  /** Of PSS. */
  readonly saltLength: number;
}

/** Undefined for identifiers that are unknown, weak, or malformed. */
export function usedAlgorithm(identifier: Uint8Array): UsedAlgorithm | undefined {
  const exact = byIdentifier.get(keyOf(identifier));
  if (exact) return { algorithm: exact, saltLength: exact.hash ? hashes[exact.hash].size : 0 };
  try {
    return otherPss(identifier);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** Left out in DER where it is this. */
const defaultSalt = 20;

/** PSS leaves the salt's length to the signer. */
function otherPss(identifier: Uint8Array): UsedAlgorithm | undefined {
  const members = new Fields(readElement(identifier));
  if (objectIdentifierOf(members.next()) !== pssId) return undefined;
  const parameters = new Fields(members.required(tags.sequence));
  const digest = readElement(parameters.required(constructed(0)).content);
  const mask = readElement(parameters.required(constructed(1)).content);
  const salt = parameters.optional(constructed(2));
  parameters.end();
  const maskFields = new Fields(mask);
  if (objectIdentifierOf(maskFields.next()) !== maskId) return undefined;
  const hash = hashId(digest);
  if (hashId(maskFields.next()) !== hash) return undefined;
  const algorithm = algorithms.find((each) => each.isPss && hashes[each.hash!].id === hash);
  return algorithm && { algorithm, saltLength: salt ? smallIntegerOf(readElement(salt.content)) : defaultSalt };
}

const hashId = (identifier: Element): string => objectIdentifierOf(new Fields(identifier).next());
