/** The subject and authority key identifier extensions. */
import type { Extension } from "./extension.ts";

export function subjectKeyId(_id: Uint8Array): Extension {
  throw new Error("not written yet");
}

export function authorityKeyId(_id: Uint8Array): Extension {
  throw new Error("not written yet");
}

export function parseSubjectKeyId(_value: Uint8Array): Uint8Array {
  throw new Error("not written yet");
}

/** Undefined where only issuer and serial are given. */
export function parseAuthorityKeyId(_value: Uint8Array): Uint8Array | undefined {
  throw new Error("not written yet");
}

/** Hexadecimal with `:`, `-`, spaces or nothing between octets; undefined for anything else. */
export function parseKeyIdText(_text: string): Uint8Array | undefined {
  throw new Error("not written yet");
}
