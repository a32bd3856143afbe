/** Keys of certificates: kinds and sizes, generation, and the identifier that certificates carry. */
import { createPublicKey, generateKeyPair, hash, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { Fields } from "../der/fields.ts";
import { bitStringBytesOf, objectIdentifierOf, readElement } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { reading, X509Error } from "./x509-error.ts";

export type KeyType = "rsa" | "ec" | "ed25519" | "ml-dsa";

/** `bits`: modulus of RSA, curve of EC (224, 256, 384, 521), parameter set of ML-DSA (44, 65, 87), 0 for Ed25519. */
export interface KeyKind {
  readonly type: KeyType;
  readonly bits: number;
}

export interface PublicKey {
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Uint8Array;
  /** The content of its bit string, which key identifiers and OCSP hash. */
  readonly keyBits: Uint8Array;
  readonly kind: KeyKind;
  readonly key: KeyObject;
}

const curves = new Map([
  ["secp224r1", 224],
  ["prime256v1", 256],
  ["secp384r1", 384],
  ["secp521r1", 521],
]);
const curveNames = new Map([...curves].map(([name, bits]) => [bits, name]));
const latticeTypes = { 44: "ml-dsa-44", 65: "ml-dsa-65", 87: "ml-dsa-87" } as const;
const mostRsaBits = 16_384;

const generatePair = promisify(generateKeyPair) as unknown as (
  type: string,
  options: object,
) => Promise<{ readonly privateKey: KeyObject }>;

/** A private key, made off the event loop. Throws an X509Error for a kind that is not supported. */
export async function generateKey(kind: KeyKind): Promise<KeyObject> {
  const [type, options] = generationOf(kind);
  return (await generatePair(type, options)).privateKey;
}

function generationOf({ type, bits }: KeyKind): [string, object] {
  if (type === "rsa") {
    if (bits < 2048 || bits > 8192) throw new X509Error(`RSA keys have 2048 to 8192 bits here, not ${bits}`);
    return ["rsa", { modulusLength: bits }];
  }
  if (type === "ed25519") return ["ed25519", {}];
  const name = type === "ec" ? curveNames.get(bits) : latticeTypes[bits as keyof typeof latticeTypes];
  if (name === undefined) throw new X509Error(`there are no keys of type ${type} with ${bits} bits`);
  return type === "ec" ? ["ec", { namedCurve: name }] : [name, {}];
}

/** Issuers' keys are asked at every signature. */
const knownKinds = new WeakMap<KeyObject, KeyKind>();

/** Throws for keys of other kinds (DSA, X25519, odd curves). */
export function kindOf(key: KeyObject): KeyKind {
  const kind = knownKinds.get(key) ?? readKind(key);
  knownKinds.set(key, kind);
  return kind;
}

function readKind({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): KeyKind {
  if (type === "rsa") return { type: "rsa", bits: details?.modulusLength ?? 0 };
  if (type === "ed25519") return { type: "ed25519", bits: 0 };
  if (type === "ec") {
    const bits = curves.get(details?.namedCurve ?? "");
    if (bits !== undefined) return { type: "ec", bits };
    throw new X509Error("a key is on an elliptic curve other than P-224, P-256, P-384 and P-521");
  }
  if (type?.startsWith("ml-dsa-")) return { type: "ml-dsa", bits: Number(type.slice("ml-dsa-".length)) };
  throw new X509Error("a key is of a kind other than RSA, EC, Ed25519 and ML-DSA");
}

/** From a SubjectPublicKeyInfo. Throws an X509Error for kinds that are not supported. */
export function parsePublicKey(spki: Uint8Array): PublicKey {
  const keyBits = reading("public key", () => keyBitsOf(spki));
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
  } catch {
    throw new X509Error("the public key is malformed or of an unsupported kind");
  }
  const kind = kindOf(key);
  if (kind.type === "rsa" && kind.bits > mostRsaBits)
    throw new X509Error(`RSA keys have at most ${mostRsaBits} bits here`);
  return { spki, keyBits, kind, key };
}

const ecKey = "1.2.840.10045.2.1";
const rsaKey = "1.2.840.113549.1.1.1";

/** Curves by name and points in full only: others are read differently by different programs. */
function keyBitsOf(spki: Uint8Array): Uint8Array {
  const members = new Fields(readElement(spki));
  const algorithm = new Fields(members.required(tags.sequence));
  const keyBits = bitStringBytesOf(members.next());
  members.end();
  const id = objectIdentifierOf(algorithm.next());
  if (id === ecKey) {
    algorithm.required(tags.objectIdentifier);
    if (keyBits[0] !== 4) throw new X509Error("the point of an elliptic curve key must be uncompressed");
  } else if (id === rsaKey) algorithm.required(tags.null);
  algorithm.end();
  return keyBits;
}

/** The public half of a private (or public) key. */
export function publicKeyOf(key: KeyObject): PublicKey {
  const half = key.type === "private" ? createPublicKey(key) : key;
  const spki = half.export({ format: "der", type: "spki" });
  return { spki, keyBits: keyBitsOf(spki), kind: kindOf(half), key: half };
}

/** SHA-1 of the key bits: 20 bytes for SKI and AKI (RFC 5280, 4.2.1.2, method 1). */
export const keyIdOf = ({ keyBits }: PublicKey): Uint8Array => hash("sha1", keyBits, "buffer");

export function isSamePublicKey(a: PublicKey, b: PublicKey): boolean {
  return Buffer.compare(a.spki, b.spki) === 0;
}
