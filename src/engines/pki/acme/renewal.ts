/** When a certificate should be renewed: names of certificates, and windows of time (RFC 9773). */

import { decodeBase64Url } from "../../../lib/jws/base64url.ts";
import { JwsError } from "../../../lib/jws/error.ts";
import { type Certificate, parseCertificate } from "../../../lib/x509/certificate.ts";
import { serialText } from "../../../lib/x509/serial-number.ts";
import type { Authority, KnownCertificate } from "./authority.ts";
import { malformed } from "./problem.ts";

export interface NamedCertificate {
  /** As it was given. */
  readonly id: string;
  readonly serial: string;
  readonly certificate: Certificate;
  readonly known: KnownCertificate;
}

export interface RenewalWindow {
  readonly start: Date;
  readonly end: Date;
}

const mostSerialBytes = 21;
const hourMs = 3_600_000;
/** Windows open when two thirds of the lifetime are over, and are this part of it wide: clients choose a moment at random. */
const opens = 2 / 3;
const width = 1 / 12;

/** By the key id of its issuer and its serial number, each in base64url, with a dot between. */
export async function findCertificate(id: unknown, authority: Authority): Promise<NamedCertificate> {
  if (typeof id !== "string") throw malformed("a certificate is named by a string");
  const { issuerKeyId, serial } = readName(id);
  const known = await authority.certificate(serial);
  const certificate = known && parseCertificate(known.der);
  const own = certificate?.extensions.authorityKeyId;
  if (!known || !own || Buffer.compare(own, issuerKeyId) !== 0) {
    throw malformed("this authority has issued no such certificate", { status: 404 });
  }
  return { id, serial, certificate, known };
}

function readName(id: string): { issuerKeyId: Uint8Array; serial: string } {
  const [issuer = "", serial = "", ...more] = id.split(".", 3);
  const form = malformed("a certificate is named by its authority key identifier and serial number, in base64url");
  if (issuer === "" || serial === "" || more.length > 0 || id.length > 512) throw form;
  try {
    const bytes = decodeBase64Url(serial, "serial number");
    if (bytes.length > mostSerialBytes) throw form;
    return {
      issuerKeyId: decodeBase64Url(issuer, "authority key identifier"),
      serial: serialText(BigInt(`0x${bytes.toString("hex")}`)),
    };
  } catch (error) {
    throw error instanceof JwsError ? form : error;
  }
}

/** One that was revoked should have been replaced already. */
export function renewalWindow({ certificate, known }: NamedCertificate, now: Date): RenewalWindow {
  if (known.revokedAt !== undefined) {
    return { start: new Date(now.getTime() - 2 * hourMs), end: new Date(now.getTime() - hourMs) };
  }
  const from = certificate.notBefore.getTime();
  const lifetime = certificate.notAfter.getTime() - from;
  const start = from + lifetime * opens;
  return { start: new Date(start), end: new Date(start + lifetime * width) };
}
