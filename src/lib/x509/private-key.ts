/** Private keys as text and bytes: PKCS#1, SEC1 and PKCS#8, read and written. */
import type { KeyObject } from "node:crypto";

/** `traditional`: PKCS#1 for RSA, SEC1 for EC; PKCS#8 for the rest, which have no older form. */
export type PrivateKeyForm = "traditional" | "pkcs8";

/** Reads PEM (any of the three kinds, not encrypted). Throws an X509Error that never repeats the key. */
export function parsePrivateKeyPem(_pem: string): KeyObject {
  throw new Error("not written yet");
}

export function parsePrivateKey(_der: Uint8Array): KeyObject {
  throw new Error("not written yet");
}

/** Without a newline at the end. */
export function privateKeyPem(_key: KeyObject, _form: PrivateKeyForm): string {
  throw new Error("not written yet");
}

export function privateKeyDer(_key: KeyObject, _form: PrivateKeyForm): Uint8Array {
  throw new Error("not written yet");
}
