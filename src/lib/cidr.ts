/** IP addresses and CIDR ranges: read, compare, and tell what is inside what. */
import { isIPv4, isIPv6 } from "node:net";

/** 4 or 16 bytes; an IPv4 address mapped into IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. */
type Bytes = readonly number[];

export interface Cidr {
  /** As the operator wrote it. */
  readonly text: string;
  /** False for anything that is not an address. */
  contains(address: string): boolean;
}

/** A range (`10.0.0.0/8`, `fd00::/8`) or one address, which is a range of one. Throws a sentence for the operator. */
export function parseCidr(text: string): Cidr {
  const [address = "", prefix, ...more] = text.trim().split("/");
  const bytes = address.includes("%") ? undefined : addressBytes(address);
  if (bytes === undefined || more.length > 0) {
    throw new Error(`${JSON.stringify(text)} is not an IP address or CIDR range such as 10.0.0.0/8 or fd00::/8`);
  }
  // A mapped range counts its prefix from the start of the IPv6 address.
  const written = isIPv4(address) ? 32 : 128;
  const length = prefix === undefined ? written : readPrefix(text, prefix, written);
  const skipped = written - bytes.length * 8;
  if (length < skipped) return rangeOf(text, mapped(bytes), length);
  return rangeOf(text, bytes, length - skipped);
}

export function isCidr(text: string): boolean {
  try {
    parseCidr(text);
    return true;
  } catch {
    return false;
  }
}

export const containedInAny = (ranges: readonly Cidr[], address: string): boolean =>
  ranges.some((range) => range.contains(address));

/** One spelling per address: IPv4 even when mapped into IPv6, and no zone. Undefined for what is not an address. */
export function normalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const bytes = addressBytes(text);
  if (bytes === undefined) return undefined;
  return bytes.length === 4 ? bytes.join(".") : withoutZone(text).toLowerCase();
}

function readPrefix(text: string, prefix: string, most: number): number {
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(length <= most)) throw new Error(`${JSON.stringify(text)} has a prefix that is not a number from 0 to ${most}`);
  return length;
}

function rangeOf(text: string, network: Bytes, length: number): Cidr {
  const whole = length >> 3;
  const mask = (0xff00 >> (length & 7)) & 0xff;
  return {
    text,
    contains(address) {
      const bytes = addressBytes(address);
      if (bytes === undefined || bytes.length !== network.length) return false;
      for (let i = 0; i < whole; i++) if (bytes[i] !== network[i]) return false;
      return mask === 0 || (bytes[whole]! & mask) === (network[whole]! & mask);
    },
  };
}

function addressBytes(text: string): Bytes | undefined {
  if (isIPv4(text)) return text.split(".").map(Number);
  if (!isIPv6(text)) return undefined;
  const bytes = longBytes(withoutZone(text));
  return bytes.slice(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff)) ? bytes.slice(12) : bytes;
}

/** Of a text that is known to be an IPv6 address: `::` stands for as many zeros as are missing. */
function longBytes(text: string): Bytes {
  const [head = "", tail] = text.split("::");
  const front = groupBytes(head);
  const back = tail === undefined ? [] : groupBytes(tail);
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back];
}

const groupBytes = (text: string): number[] =>
  text === ""
    ? []
    : text.split(":").flatMap((group) => (group.includes(".") ? group.split(".").map(Number) : pair(group)));

function pair(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}

const mapped = (bytes: Bytes): Bytes => [...new Array<number>(10).fill(0), 0xff, 0xff, ...bytes];

const withoutZone = (text: string): string => text.split("%", 1)[0] ?? text;
