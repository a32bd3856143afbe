/** Signature algorithms of certificates: chosen, named, signed with and verified. */
import { constants, type KeyObject, type SignKeyObjectInput, sign, verify } from "node:crypto";
import { type KeyKind, type KeyType, kindOf, type PublicKey } from "./key.ts";
import { algorithms, usedAlgorithm } from "./signature-algorithm.ts";
import { X509Error } from "./x509-error.ts";

/** The names that `revocation_signature_algorithm` uses, and those of ML-DSA. */
export type SignatureName =
  | "SHA256WithRSA"
  | "SHA384WithRSA"
  | "SHA512WithRSA"
  | "SHA256WithRSAPSS"
  | "SHA384WithRSAPSS"
  | "SHA512WithRSAPSS"
  | "ECDSAWithSHA256"
  | "ECDSAWithSHA384"
  | "ECDSAWithSHA512"
  | "Ed25519"
  | "ML-DSA-44"
  | "ML-DSA-65"
  | "ML-DSA-87";

export type Hash = "sha256" | "sha384" | "sha512";

export interface SignatureAlgorithm {
  readonly name: SignatureName;
  readonly keyType: KeyType;
  /** Undefined where the scheme hashes by itself. */
  readonly hash: Hash | undefined;
  readonly isPss: boolean;
  /** AlgorithmIdentifier in DER. */
  readonly der: Uint8Array;
}

export interface SignatureWishes {
  /** Of RSA keys: 256, 384 or 512; 0 for 256. */
  readonly bits?: number;
  /** Of RSA keys. */
  readonly pss?: boolean;
}

/** What a key signs by: RSA as wished, EC with the hash of its curve's size, others in their only way. X509Error for other bits. */
export function signatureAlgorithmFor(
  kind: KeyKind,
  { bits = 0, pss = false }: SignatureWishes = {},
): SignatureAlgorithm {
  if (![0, 256, 384, 512].includes(bits)) {
    throw new X509Error(`unsupported hash signature algorithm: ${bits}; use 256, 384 or 512, or 0 for the usual one`);
  }
  return named(nameFor(kind, bits, pss));
}

function nameFor({ type, bits: size }: KeyKind, bits: number, pss: boolean): SignatureName {
  if (type === "rsa") return `SHA${bits === 0 ? 256 : bits}WithRSA${pss ? "PSS" : ""}` as SignatureName;
  if (type === "ec") return `ECDSAWithSHA${size <= 256 ? 256 : size <= 384 ? 384 : 512}`;
  return type === "ed25519" ? "Ed25519" : (`ML-DSA-${size}` as SignatureName);
}

const named = (name: SignatureName): SignatureAlgorithm => algorithms.find((each) => each.name === name)!;

/** By name, whatever the letter case; also `PureEd25519`. */
export function signatureAlgorithmNamed(name: string): SignatureAlgorithm | undefined {
  const lower = name.toLowerCase();
  return algorithms.find((each) => each.name.toLowerCase() === (lower === "pureed25519" ? "ed25519" : lower));
}

/** A private key together with the algorithm that it signs by. */
export interface Signer {
  readonly algorithm: SignatureAlgorithm;
  sign(data: Uint8Array): Uint8Array;
  /** Off the event loop: for large data or slow keys. */
  signLater(data: Uint8Array): Promise<Uint8Array>;
}

/** Throws an X509Error if the algorithm is for another type of key. Without one, the default of the key is used. */
export function signerWith(key: KeyObject, algorithm?: SignatureAlgorithm): Signer {
  const kind = kindOf(key);
  const chosen = algorithm ?? signatureAlgorithmFor(kind);
  if (!isFor(chosen, kind)) {
    throw new X509Error(`unable to use a key of type ${kind.type} ${kind.bits || ""} to sign with ${chosen.name}`);
  }
  const hash = chosen.hash ?? null;
  const input: KeyObject | SignKeyObjectInput = chosen.isPss ? withPss(key, constants.RSA_PSS_SALTLEN_DIGEST) : key;
  return {
    algorithm: chosen,
    sign: (data) => sign(hash, data, input),
    signLater: (data) =>
      new Promise((resolve, reject) => {
        sign(hash, data, input, (error, signature) => (error ? reject(error) : resolve(signature)));
      }),
  };
}

const withPss = (key: KeyObject, saltLength: number): SignKeyObjectInput => ({
  key,
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength,
});

/** Each parameter set of ML-DSA has an algorithm of its own. */
const isFor = ({ keyType, name }: SignatureAlgorithm, { type, bits }: KeyKind): boolean =>
  keyType === type && (type !== "ml-dsa" || name === `ML-DSA-${bits}`);

/** The algorithm that an AlgorithmIdentifier (DER) names; undefined for those that are unknown or weak. */
export const signatureAlgorithmOf = (identifier: Uint8Array): SignatureAlgorithm | undefined =>
  usedAlgorithm(identifier)?.algorithm;

/** False also for algorithms that are unknown, weak (MD5, SHA-1) or of another type of key. `algorithm`: AlgorithmIdentifier DER. */
export function isSignedBy(
  signed: { readonly algorithm: Uint8Array; readonly data: Uint8Array; readonly signature: Uint8Array },
  { key, kind }: PublicKey,
): boolean {
  const used = usedAlgorithm(signed.algorithm);
  if (!used || !isFor(used.algorithm, kind)) return false;
  const input = used.algorithm.isPss ? withPss(key, used.saltLength) : key;
  try {
    return verify(used.algorithm.hash ?? null, signed.data, input, signed.signature);
  } catch {
    return false;
  }
}
