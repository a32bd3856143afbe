/** Random names in the forms that people know: hexadecimal digits, and version 4 UUIDs. */

interface RandomSource {
  bytes(count: number): Uint8Array;
}

export const randomHex = (bytes: number, random: RandomSource): string =>
  Buffer.from(random.bytes(bytes)).toString("hex");

export function randomUuid(random: RandomSource): string {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
