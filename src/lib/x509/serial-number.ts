/** Serial numbers of certificates: made, and written as text in the way that operators see them (`0a:1b:2c`). */

/** A random positive number below 2^159, so that its DER has at most 20 bytes (RFC 5280, 4.1.2.2). */
export function randomSerial(_random: (size: number) => Uint8Array): bigint {
  throw new Error("not written yet");
}

/** Lower-case hexadecimal octets with colons between them; a negative number appears without its sign. */
export function serialText(_serial: bigint): string {
  throw new Error("not written yet");
}

/** Accepts colons, hyphens or nothing between octets, in any case. Undefined for anything else. */
export function parseSerialText(_text: string): bigint | undefined {
  throw new Error("not written yet");
}
