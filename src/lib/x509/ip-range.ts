/** Ranges of IP addresses as name constraints hold them: an address and a mask of the same size. */
import { DerError } from "../der/der-error.ts";
import { ipBytes, ipText } from "./ip-address.ts";
import { X509Error } from "./x509-error.ts";

/** From CIDR to 8 or 32 bytes. */
export function parseRange(text: string): Uint8Array {
  const [address = "", prefix = "", ...more] = text.trim().split("/");
  const bytes = ipBytes(address);
  const bits = (bytes?.length ?? 0) * 8;
  if (!bytes || more.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
    throw new X509Error(`invalid CIDR address: ${text.slice(0, 100)}`);
  }
  const mask = bytes.map((_, index) => 0xff & (0xff00 >> Math.min(8, Math.max(0, Number(prefix) - index * 8))));
  return Buffer.concat([bytes.map((byte, index) => byte & mask[index]!), mask]);
}

/** From 8 or 32 bytes to CIDR. */
export function rangeText(bytes: Uint8Array): string {
  const half = bytes.length / 2;
  const address = half === 4 || half === 16 ? ipText(bytes.subarray(0, half)) : undefined;
  if (address === undefined) throw new DerError("an IP range has neither 8 nor 32 bytes");
  const mask = Array.from(bytes.subarray(half), (byte) => byte.toString(2).padStart(8, "0")).join("");
  const prefix = mask.indexOf("0") < 0 ? mask.length : mask.indexOf("0");
  if (mask.includes("1", prefix)) throw new DerError("the mask of an IP range is not a prefix");
  return `${address}/${prefix}`;
}

/** Whether the address (4 or 16 bytes) is in the range (address and mask). */
export const isInRange = (address: Uint8Array, range: Uint8Array): boolean =>
  address.length * 2 === range.length &&
  address.every(
    (byte, index) => (byte & range[address.length + index]!) === (range[index]! & range[address.length + index]!),
  );
