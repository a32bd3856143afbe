/** Reads the header of the PROXY protocol, versions 1 and 2, which a load balancer puts before a connection's own bytes. */
import { isIPv4, isIPv6 } from "node:net";

export interface Endpoints {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

export type ProxyHeader =
  /** More bytes are needed to tell. */
  | { readonly kind: "incomplete" }
  /** The connection starts with its own bytes. */
  | { readonly kind: "absent" }
  /** `length` bytes, with the endpoints unless the balancer speaks for itself or of something other than TCP. */
  | { readonly kind: "present"; readonly length: number; readonly endpoints: Endpoints | undefined };

const incomplete = { kind: "incomplete" } as const;
const signature1 = Buffer.from("PROXY ", "latin1");
const signature2 = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
/** From the specification: no header of version 1 is longer. */
const longest1 = 107;
/** The addresses need 36 bytes; what balancers append is a few hundred. */
const longest2 = 4096;

/** Throws a sentence for the log if the header is broken. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  for (const [signature, read] of [[signature1, version1] as const, [signature2, version2] as const]) {
    const known = Math.min(signature.length, bytes.length);
    if (bytes.compare(signature, 0, known, 0, known) !== 0) continue;
    return known < signature.length ? incomplete : read(bytes);
  }
  return { kind: "absent" };
}

function version1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, longest1).indexOf("\r\n");
  if (end === -1) {
    if (bytes.length >= longest1) throw new Error("a PROXY header of version 1 without an end");
    return incomplete;
  }
  const length = end + 2;
  const [family, ...words] = bytes.toString("latin1", signature1.length, end).split(" ");
  if (family === "UNKNOWN") return { kind: "present", length, endpoints: undefined };
  const isAddress = family === "TCP4" ? isIPv4 : isIPv6;
  const [remoteAddress = "", localAddress = "", remotePort = "", localPort = ""] = words;
  if (
    words.length !== 4 ||
    (family !== "TCP4" && family !== "TCP6") ||
    ![remoteAddress, localAddress].every(isAddress) ||
    ![remotePort, localPort].every(isPort)
  ) {
    throw new Error("a PROXY header of version 1 that is not a family, two addresses and two ports");
  }
  const endpoints = { remoteAddress, localAddress, remotePort: Number(remotePort), localPort: Number(localPort) };
  return { kind: "present", length, endpoints };
}

const isPort = (text: string) => /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;

const addressSizes = new Map([
  [0x11, 4], // TCP over IPv4
  [0x21, 16], // TCP over IPv6
]);

function version2(bytes: Buffer): ProxyHeader {
  const fixed = signature2.length + 4;
  if (bytes.length < fixed) return incomplete;
  const command = bytes.readUInt8(12);
  if (command !== 0x20 && command !== 0x21) throw new Error("a PROXY header of version 2 with an unknown command");
  const size = bytes.readUInt16BE(14);
  if (size > longest2) throw new Error("a PROXY header of version 2 that is too long");
  const length = fixed + size;
  if (bytes.length < length) return incomplete;
  const addressSize = addressSizes.get(bytes.readUInt8(13));
  const isLocal = command === 0x20;
  if (isLocal || addressSize === undefined) return { kind: "present", length, endpoints: undefined };
  if (size < 2 * addressSize + 4) throw new Error("a PROXY header of version 2 that is shorter than its addresses");
  const address = (at: number) => addressText(bytes.subarray(at, at + addressSize));
  const ports = fixed + 2 * addressSize;
  const endpoints = {
    remoteAddress: address(fixed),
    localAddress: address(fixed + addressSize),
    remotePort: bytes.readUInt16BE(ports),
    localPort: bytes.readUInt16BE(ports + 2),
  };
  return { kind: "present", length, endpoints };
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16));
  // The URL parser knows the canonical spelling of IPv6 addresses.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
