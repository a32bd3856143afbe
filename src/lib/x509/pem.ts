/** PEM: base64 between two lines that say what it is. RFC 7468. */
import { X509Error } from "./x509-error.ts";

export interface PemBlock {
  /** `CERTIFICATE`, `X509 CRL`, `RSA PRIVATE KEY`, …. */
  readonly kind: string;
  readonly der: Uint8Array;
}

/** Lines of 64 characters; without a newline at the end. */
export function pemText(kind: string, der: Uint8Array): string {
  const base64 = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString("base64");
  let text = `-----BEGIN ${kind}-----\n`;
  for (let at = 0; at < base64.length; at += 64) text += `${base64.slice(at, at + 64)}\n`;
  return `${text}-----END ${kind}-----`;
}

const begin = "-----BEGIN ";
const dashes = "-----";

/** Every block of a text, in order; what stands between them is passed over. X509Error for a block that has no end or is no base64. */
export function parsePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let at = text.indexOf(begin); at >= 0; ) {
    const kindEnd = text.indexOf(dashes, at + begin.length);
    const kind = kindEnd < 0 ? "" : text.slice(at + begin.length, kindEnd);
    if (kind === "" || kind.length > 64 || kind.includes("\n"))
      throw new X509Error("a PEM block has no proper first line");
    const end = `-----END ${kind}-----`;
    const stop = text.indexOf(end, kindEnd);
    if (stop < 0) throw new X509Error(`a PEM block of kind ${JSON.stringify(kind)} has no last line`);
    blocks.push({ kind, der: contentOf(kind, text.slice(kindEnd + dashes.length, stop)) });
    at = text.indexOf(begin, stop + end.length);
  }
  return blocks;
}

/** The blocks of one kind, decoded; anything else is passed over, also a block that has no end. */
export function pemBlocksOf(text: string, kind: string): Uint8Array[] {
  const [first, last] = [`-----BEGIN ${kind}-----`, `-----END ${kind}-----`];
  const blocks: Uint8Array[] = [];
  for (let at = text.indexOf(first); at >= 0; ) {
    const stop = text.indexOf(last, at);
    if (stop < 0) break;
    blocks.push(contentOf(kind, text.slice(at + first.length, stop)));
    at = text.indexOf(first, stop);
  }
  return blocks;
}

function contentOf(kind: string, lines: string): Uint8Array {
  const base64 = withoutHeaders(lines).replace(/\s/g, "");
  if (base64 === "" || base64.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(base64)) {
    throw new X509Error(`a PEM block of kind ${JSON.stringify(kind)} is not base64`);
  }
  return Buffer.from(base64, "base64");
}

/** Headers such as `Proc-Type:` end with an empty line (RFC 1421). */
function withoutHeaders(lines: string): string {
  if (!lines.includes(":")) return lines;
  const normal = lines.replaceAll("\r\n", "\n");
  const empty = normal.indexOf("\n\n");
  return empty < 0 ? normal : normal.slice(empty);
}
