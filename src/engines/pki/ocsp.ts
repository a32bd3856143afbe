/** Answers whether certificates are revoked, one at a time (OCSP, RFC 6960). */
import { parseDuration } from "../../lib/duration.ts";
import { type CertificateId, isAskedOf, type OcspRequest, parseOcspRequest } from "../../lib/x509/ocsp-request.ts";
import { buildOcspResponse, type OcspAnswer, type OcspStatus, ocspErrors } from "../../lib/x509/ocsp-response.ts";
import { serialText } from "../../lib/x509/serial-number.ts";
import { X509Error } from "../../lib/x509/x509-error.ts";
import { crlSigner } from "./crl-build.ts";
import type { Issuer } from "./issuer.ts";
import type { Key } from "./key.ts";
import type { PkiServices } from "./services.ts";

export interface OcspReply {
  readonly status: number;
  readonly der: Uint8Array;
}

const longestRequest = 2048;
const malformed: OcspReply = { status: 400, der: ocspErrors.malformedRequest };
const unauthorized: OcspReply = { status: 401, der: ocspErrors.unauthorized };

export async function answerOcsp(services: PkiServices, der: Uint8Array, now: Date): Promise<OcspReply> {
  const settings = await services.settings.crl.get();
  if (settings.ocsp_disable) return unauthorized;
  const request = der.length >= longestRequest ? undefined : parsed(der);
  const [first] = request?.certificates ?? [];
  if (!request || !first) return malformed;
  const issuers = await services.issuers.all();
  const asked = issuers.filter(({ certificate }) =>
    isAskedOf(first, { subject: certificate.subject.der, publicKey: certificate.publicKey }),
  );
  const responder = await responderAmong(services, asked.length > 0 ? asked : await defaultOnly(services));
  if (!responder) return unauthorized;
  const thisUpdate = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const seconds = parseDuration(settings.ocsp_expiry);
  const nextUpdate = seconds > 0 ? new Date(thisUpdate.getTime() + seconds * 1000) : undefined;
  const answers: OcspAnswer[] = [];
  for (const certificate of request.certificates) {
    const status = await statusOf(services, certificate, responder.issuer, asked);
    answers.push({ ...status, certificate, thisUpdate, nextUpdate });
  }
  const name = responder.issuer.certificate.subject.der;
  const response = buildOcspResponse(
    { responder: { name }, producedAt: thisUpdate, answers, nonce: request.nonce },
    crlSigner(responder.issuer, responder.key),
  );
  return { status: 200, der: response };
}

function parsed(der: Uint8Array): OcspRequest | undefined {
  try {
    return parseOcspRequest(der);
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
}

async function defaultOnly(services: PkiServices): Promise<Issuer[]> {
  const issuer = await services.issuers.find("default");
  return issuer ? [issuer] : [];
}

async function responderAmong(
  services: PkiServices,
  issuers: readonly Issuer[],
): Promise<{ issuer: Issuer; key: Key } | undefined> {
  for (const issuer of issuers) {
    const key = issuer.key_id === "" ? undefined : await services.keys.byId(issuer.key_id);
    if (key && issuer.usage.includes("ocsp-signing")) return { issuer, key };
  }
  return undefined;
}

/** A serial number that nobody issued is unknown, unless this issuer leaves certificates unstored. */
async function statusOf(
  services: PkiServices,
  id: CertificateId,
  { certificate }: Issuer,
  asked: readonly Issuer[],
): Promise<OcspStatus> {
  const isOurs =
    asked.length > 0 && isAskedOf(id, { subject: certificate.subject.der, publicKey: certificate.publicKey });
  if (!isOurs) return { status: "unknown" };
  const serial = serialText(id.serial);
  const revocation = await services.revocations.get(serial);
  if (revocation) return { status: "revoked", at: new Date(revocation.at), reason: revocation.reason || undefined };
  if ((await services.certificates.get(serial)) !== undefined) return { status: "good" };
  if (await services.issuers.withSerial(serial)) return { status: "good" };
  for (const { id: issuerId } of asked) {
    if ((await services.storage.get(`unstored/${issuerId}`)) !== undefined) return { status: "good" };
  }
  return { status: "unknown" };
}
