/** IP addresses between their text and the bytes that certificates hold. */
import { isIPv4, isIPv6 } from "node:net";

/** 4 or 16 bytes; an IPv4 address mapped into IPv6 becomes the IPv4 address. Undefined for what is not an address. */
export function ipBytes(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split("."), Number);
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const [head = "", tail = ""] = inGroups(text).split("::");
  const front = groupsOf(head);
  const back = groupsOf(tail);
  const groups = [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
  return isMapped(bytes) ? bytes.subarray(12) : bytes;
}

/** Undefined for bytes that are neither 4 nor 16. IPv6 in its shortest form (RFC 5952). */
export function ipText(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return undefined;
  if (isMapped(bytes)) return bytes.subarray(12).join(".");
  const hex = Buffer.from(bytes).toString("hex");
  return inGroups((hex.match(/.{4}/g) ?? []).join(":"));
}

/** The URL parser knows the shortest form, and turns an embedded IPv4 address into groups. */
const inGroups = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1);

const groupsOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));

const isMapped = (bytes: Uint8Array): boolean =>
  bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((byte) => byte === 0);
