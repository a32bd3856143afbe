/** Lists of revoked certificates, as far as serial numbers. */
import { integerOf, membersOf, readElement } from "../../lib/der/reader.ts";
import { tags } from "../../lib/der/tags.ts";
import { pemBlocksOf } from "../../lib/x509/pem.ts";

/** The DER of a list that came as PEM, or as base64 of DER. */
export function crlBytes(text: string): Uint8Array {
  const [block] = pemBlocksOf(text, "X509 CRL");
  return block ?? Buffer.from(text, "base64");
}

/** The serial numbers on a list. RFC 5280, section 5.1. Throws for what is no list. */
export function revokedSerials(der: Uint8Array): ReadonlySet<bigint> {
  const [body, algorithm, signature] = membersOf(readElement(der));
  if (!algorithm || !signature) throw new Error("a revocation list has three parts");
  const fields = membersOf(body);
  const isTime = (tag: number | undefined) => tag === tags.utcTime || tag === tags.generalizedTime;
  let at = fields.findIndex(({ tag }) => isTime(tag));
  if (at < 0) throw new Error("a revocation list has a date");
  while (isTime(fields[at]?.tag)) at += 1;
  const revoked = fields[at];
  if (revoked?.tag !== tags.sequence) return new Set();
  return new Set(membersOf(revoked).map((entry) => integerOf(membersOf(entry)[0])));
}
