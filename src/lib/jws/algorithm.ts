/** The signature algorithms of RFC 7518 and RFC 8037 that use a public key, and what each asks of the key. */
import { constants } from "node:crypto";

export type KeyKind = "RSA" | "P-256" | "P-384" | "P-521" | "Ed25519";

export const algorithmNames = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

export interface Algorithm {
  readonly name: AlgorithmName;
  readonly kind: KeyKind;
  /** Undefined where the algorithm hashes by itself. */
  readonly hash: "sha256" | "sha384" | "sha512" | undefined;
  /** How node:crypto is told the rest. */
  readonly options: Readonly<Record<string, number | string>>;
}

const pkcs1 = { padding: constants.RSA_PKCS1_PADDING };
const pss = (saltLength: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
/** Signatures are r and s side by side, not DER (RFC 7518, 3.4). */
const sideBySide = { dsaEncoding: "ieee-p1363" };

const algorithms: ReadonlyMap<string, Algorithm> = new Map(
  (
    [
      { name: "RS256", kind: "RSA", hash: "sha256", options: pkcs1 },
      { name: "RS384", kind: "RSA", hash: "sha384", options: pkcs1 },
      { name: "RS512", kind: "RSA", hash: "sha512", options: pkcs1 },
      { name: "PS256", kind: "RSA", hash: "sha256", options: pss(32) },
      { name: "PS384", kind: "RSA", hash: "sha384", options: pss(48) },
      { name: "PS512", kind: "RSA", hash: "sha512", options: pss(64) },
      { name: "ES256", kind: "P-256", hash: "sha256", options: sideBySide },
      { name: "ES384", kind: "P-384", hash: "sha384", options: sideBySide },
      { name: "ES512", kind: "P-521", hash: "sha512", options: sideBySide },
      { name: "EdDSA", kind: "Ed25519", hash: undefined, options: {} },
    ] satisfies readonly Algorithm[]
  ).map((algorithm) => [algorithm.name, algorithm]),
);

/** Undefined for `none`, for the symmetric ones and for what nobody knows. */
export const algorithmNamed = (name: string): Algorithm | undefined => algorithms.get(name);

export const isAlgorithmName = (name: string): name is AlgorithmName => algorithms.has(name);
