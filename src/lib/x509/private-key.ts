/** Private keys as text and bytes: PKCS#1, SEC1 and PKCS#8, read and written. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { membersOf, readElement } from "../der/reader.ts";
import { tags } from "../der/tags.ts";
import { kindOf } from "./key.ts";
import { parsePem, pemText } from "./pem.ts";
import { reading, X509Error } from "./x509-error.ts";

/** `traditional`: PKCS#1 for RSA, SEC1 for EC; PKCS#8 for the rest, which have no older form. */
export type PrivateKeyForm = "traditional" | "pkcs8";

type Encoding = "pkcs1" | "sec1" | "pkcs8";

const kinds = { pkcs1: "RSA PRIVATE KEY", sec1: "EC PRIVATE KEY", pkcs8: "PRIVATE KEY" } as const;

/** Reads PEM (any of the three kinds, not encrypted). Throws an X509Error that never repeats the key. */
export function parsePrivateKeyPem(pem: string): KeyObject {
  const blocks = parsePem(pem).filter(({ kind }) => kind !== "EC PARAMETERS");
  const [block, another] = blocks;
  if (!block) throw new X509Error("there is no PEM block with a private key");
  if (another) throw new X509Error("there is more than one PEM block where one private key was expected");
  if (block.kind === "ENCRYPTED PRIVATE KEY") throw new X509Error("encrypted private keys are not supported");
  if (!(Object.values(kinds) as string[]).includes(block.kind)) {
    throw new X509Error(`a PEM block of kind ${JSON.stringify(block.kind)} is not a private key`);
  }
  return parsePrivateKey(block.der);
}

export function parsePrivateKey(der: Uint8Array): KeyObject {
  const type = reading("private key", () => encodingOf(der));
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: Buffer.from(der), format: "der", type });
  } catch {
    throw new X509Error("the private key is malformed or of an unsupported kind");
  }
  kindOf(key);
  if (!isConsistent(key)) throw new X509Error("the private key does not fit the public key that came with it");
  return key;
}

/** Without a newline at the end. */
export function privateKeyPem(key: KeyObject, form: PrivateKeyForm): string {
  const encoding = encodingFor(key, form);
  return pemText(kinds[encoding], exported(key, encoding));
}

export const privateKeyDer = (key: KeyObject, form: PrivateKeyForm): Uint8Array =>
  exported(key, encodingFor(key, form));

/** PKCS#8 has an algorithm behind its version, PKCS#1 a number, SEC1 the octets of the key. */
function encodingOf(der: Uint8Array): Encoding {
  const [, second] = membersOf(readElement(der));
  if (second?.tag === tags.sequence) return "pkcs8";
  if (second?.tag === tags.integer) return "pkcs1";
  if (second?.tag === tags.octetString) return "sec1";
  throw new X509Error("the private key is of an unknown form");
}

function encodingFor(key: KeyObject, form: PrivateKeyForm): Encoding {
  if (form === "pkcs8") return "pkcs8";
  const { type } = kindOf(key);
  return type === "rsa" ? "pkcs1" : type === "ec" ? "sec1" : "pkcs8";
}

const exported = (key: KeyObject, type: Encoding): Buffer => key.export({ format: "der", type: type as "pkcs8" });

const probe = Buffer.from("does this key sign what its public half verifies?");

/** Files may hold a public half, or factors, that belong to something else. */
function isConsistent(key: KeyObject): boolean {
  try {
    const { type } = kindOf(key);
    const digest = type === "rsa" || type === "ec" ? "sha256" : null;
    return verify(digest, probe, createPublicKey(key), sign(digest, probe, key));
  } catch {
    return false;
  }
}
