/** Public keys that signatures are verified with: from a JWK (RFC 7517), from PEM, or from a key at hand. */
import { createPublicKey, type KeyObject, type webcrypto, X509Certificate } from "node:crypto";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { KeyKind } from "./algorithm.ts";
import { decodeBase64Url } from "./base64url.ts";
import { JwsError } from "./error.ts";

export interface VerificationKey {
  readonly kind: KeyKind;
  readonly key: KeyObject;
  /** How long signatures are, in bytes. */
  readonly signatureLength: number;
  readonly kid: string | undefined;
  /** The only algorithm that the key is for, if it says so. */
  readonly alg: string | undefined;
}

const leastBits = 2048;
const mostBits = 16_384;

/** Throws a `JwsError` for keys that are private, symmetric, weak, malformed, or not for verification. */
export function importJwk(jwk: unknown): VerificationKey {
  if (!isJsonObject(jwk)) throw keyProblem("a key is not a JSON object");
  requireForVerification(jwk);
  const publicParts = partsOf(jwk);
  const key = publicKey(publicParts);
  return { ...checked(key), kid: optionalText(jwk, "kid"), alg: optionalText(jwk, "alg") };
}

/** One PEM block: a public key (PKIX) or a certificate. */
export function importPem(pem: string): VerificationKey {
  const blocks = pem.trim().match(/-----BEGIN [A-Z0-9 ]{1,40}-----/g) ?? [];
  if (blocks.length === 0) throw keyProblem("data does not contain any valid public keys");
  if (blocks.length > 1 || !pem.trim().endsWith("-----")) {
    throw keyProblem("unexpected trailing data after parsed PEM block");
  }
  return { ...checked(fromPem(pem, blocks[0]!)), kid: undefined, alg: undefined };
}

export const importKeyObject = (key: KeyObject): VerificationKey => ({
  ...checked(key.type === "private" ? createPublicKey(key) : key),
  kid: undefined,
  alg: undefined,
});

function fromPem(pem: string, block: string): KeyObject {
  try {
    if (block === "-----BEGIN CERTIFICATE-----") return new X509Certificate(pem).publicKey;
    if (block === "-----BEGIN PUBLIC KEY-----") return createPublicKey(pem);
  } catch {
    // Falls through: the reason of the library underneath says no more.
  }
  throw keyProblem("data does not contain any valid public keys");
}

function requireForVerification(jwk: JsonObject): void {
  if (jwk["d"] !== undefined || jwk["k"] !== undefined)
    throw keyProblem("a private or symmetric key is not a public key");
  if (jwk["use"] !== undefined && jwk["use"] !== "sig") throw keyProblem("a key is not for signatures (use)");
  const operations = jwk["key_ops"];
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) {
    throw keyProblem("a key is not for verification (key_ops)");
  }
}

/** The members that make the key, and nothing else of what came. */
function partsOf(jwk: JsonObject): webcrypto.JsonWebKey {
  switch (jwk["kty"]) {
    case "RSA":
      return { kty: "RSA", n: encoded(jwk, "n"), e: encoded(jwk, "e") };
    case "EC":
      return curvePoint(jwk);
    case "OKP":
      if (jwk["crv"] !== "Ed25519") throw keyProblem("a key of an unknown curve (crv)");
      return { kty: "OKP", crv: "Ed25519", x: encoded(jwk, "x", 32) };
    default:
      throw keyProblem("a key of an unknown type (kty)");
  }
}

const curveBytes = { "P-256": 32, "P-384": 48, "P-521": 66 } as const;
type Curve = keyof typeof curveBytes;
const isCurve = (name: unknown): name is Curve => typeof name === "string" && Object.hasOwn(curveBytes, name);

function curvePoint(jwk: JsonObject): webcrypto.JsonWebKey {
  const { crv } = jwk;
  if (!isCurve(crv)) throw keyProblem("a key of an unknown curve (crv)");
  // Coordinates have their full length (RFC 7518, 6.2.1.2).
  return { kty: "EC", crv, x: encoded(jwk, "x", curveBytes[crv]), y: encoded(jwk, "y", curveBytes[crv]) };
}

function encoded(jwk: JsonObject, name: string, length?: number): string {
  const value = jwk[name];
  if (typeof value !== "string" || value === "") throw keyProblem(`a key has no ${name}`);
  const bytes = decodeBase64Url(value, `key's ${name}`);
  if (length !== undefined && bytes.length !== length) throw keyProblem(`a key's ${name} is not ${length} bytes long`);
  return value;
}

function publicKey(jwk: webcrypto.JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    throw keyProblem("a key is not valid");
  }
}

function checked(key: KeyObject): Pick<VerificationKey, "kind" | "key" | "signatureLength"> {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "rsa":
      requireSoundRsa(modulusLength, publicExponent);
      return { kind: "RSA", key, signatureLength: Math.ceil(modulusLength / 8) };
    case "ec": {
      const curve = curveNames.get(namedCurve);
      if (curve === undefined) throw keyProblem("a key of an unknown curve");
      return { kind: curve, key, signatureLength: 2 * curveBytes[curve] };
    }
    case "ed25519":
      return { kind: "Ed25519", key, signatureLength: 64 };
    default:
      throw keyProblem("a key of an unknown type");
  }
}

const curveNames = new Map<string, Curve>([
  ["prime256v1", "P-256"],
  ["secp384r1", "P-384"],
  ["secp521r1", "P-521"],
]);

/** With exponent 1 every message is its own signature; an even one has no inverse. */
function requireSoundRsa(bits: number, exponent: bigint): void {
  if (bits < leastBits) throw keyProblem(`an RSA key of ${bits} bits: at least ${leastBits} are required`);
  if (bits > mostBits) throw keyProblem(`an RSA key of ${bits} bits: at most ${mostBits} are allowed`);
  if (exponent < 3n || exponent % 2n === 0n || exponent >= 1n << 64n) {
    throw keyProblem("an RSA key whose exponent is not an odd number of at least 3 and at most 64 bits");
  }
}

function optionalText(jwk: JsonObject, name: string): string | undefined {
  const value = jwk[name];
  if (value !== undefined && typeof value !== "string") throw keyProblem(`a key's ${name} is not a string`);
  return value;
}

const keyProblem = (message: string) => new JwsError("key", message);
