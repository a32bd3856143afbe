/** The last steps of every certificate: what the issuer adds, the signature, and the store. */

import { ApiError, invalidRequest } from "../../api/errors.ts";
import { buildCertificate, builtCertificate, type Certificate } from "../../lib/x509/certificate.ts";
import { type Extension, extensionIds } from "../../lib/x509/extension.ts";
import { authorityInfoAccess, crlDistributionPoints, freshestCrl } from "../../lib/x509/information-access.ts";
import { keyIdOf, type PublicKey } from "../../lib/x509/key.ts";
import { authorityKeyId, subjectKeyId } from "../../lib/x509/key-identifier.ts";
import { randomSerial, serialText } from "../../lib/x509/serial-number.ts";
import { type SignatureWishes, type Signer, signatureAlgorithmFor, signerWith } from "../../lib/x509/signature.ts";
import { storedForm } from "./certificate.ts";
import type { Issuer, Usage } from "./issuer.ts";
import type { Key } from "./key.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";
import { type CertificateUrls, filledUrls } from "./urls.ts";
import type { Validity } from "./validity.ts";

/** All of a certificate that does not follow from its issuer. */
export interface Draft extends Validity {
  /** Name in DER. */
  readonly subject: Uint8Array;
  readonly publicKey: PublicKey;
  readonly extensions: readonly Extension[];
  readonly subjectKeyId?: Uint8Array | undefined;
}

export interface SigningIssuer {
  readonly issuer: Issuer;
  readonly key: Key;
}

/** An issuer that may be used so, with its key. */
export async function issuerFor(services: PkiServices, ref: string, usage: Usage, status: 400 | 404 = 400) {
  const issuer = await services.issuers.require(ref, status, "could not fetch the CA certificate (was one set?): ");
  return withKey(services, issuer, usage);
}

async function withKey(services: PkiServices, issuer: Issuer, usage: Usage): Promise<SigningIssuer> {
  if (!issuer.usage.includes(usage)) {
    throw invalidRequest(
      `error fetching CA certificate: error while attempting to use issuer ID: requested usage ${usage} for issuer [id:${issuer.id} / name:${issuer.name}] but only had usage ${issuer.usage.join(",")}`,
    );
  }
  const key = issuer.key_id === "" ? undefined : await services.keys.byId(issuer.key_id);
  if (!key)
    throw invalidRequest("error fetching CA certificate: unable to use issuer: no private key is stored for it");
  return { issuer, key };
}

/** RSA keys may sign in several ways; others in one, whatever was asked for. */
export function signerFor(key: Key, { bits = 0, pss = false }: SignatureWishes): Signer {
  const { kind } = key.publicKey;
  const wishes = kind.type === "rsa" ? { bits, pss } : {};
  return refusing(() => signerWith(key.privateKey, signatureAlgorithmFor(kind, wishes)));
}

export async function urlsOf(services: PkiServices, issuer: Issuer): Promise<CertificateUrls> {
  const settings = issuer.urls ?? (await services.settings.urls.get());
  return filledUrls(settings, await services.settings.cluster.get(), issuer.id);
}

export function urlExtensions({ issuing, crl, deltaCrl, ocsp }: CertificateUrls): Extension[] {
  const extensions: Extension[] = [];
  if (issuing.length > 0 || ocsp.length > 0) {
    extensions.push(authorityInfoAccess({ ocspServers: ocsp, issuingCertificates: issuing }));
  }
  if (crl.length > 0) extensions.push(crlDistributionPoints(crl));
  if (deltaCrl.length > 0) extensions.push(freshestCrl(deltaCrl));
  return extensions;
}

/** A request may not set these: they are the issuer's word. */
export const issuerExtensionIds: ReadonlySet<string> = new Set([
  extensionIds.subjectKeyId,
  extensionIds.authorityKeyId,
  extensionIds.authorityInfoAccess,
  extensionIds.crlDistributionPoints,
  extensionIds.freshestCrl,
]);

export async function signDraft(
  services: PkiServices,
  draft: Draft,
  { issuer, key }: SigningIssuer,
  wishes: SignatureWishes,
): Promise<Certificate> {
  const urls = await urlsOf(services, issuer);
  const authority = issuer.certificate.extensions.subjectKeyId ?? keyIdOf(issuer.certificate.publicKey);
  const fields = refusing(() => ({
    serial: randomSerial((count) => services.random.bytes(count)),
    issuer: issuer.certificate.subject.der,
    subject: draft.subject,
    notBefore: draft.notBefore,
    notAfter: draft.notAfter,
    publicKey: draft.publicKey.spki,
    extensions: [
      ...draft.extensions,
      subjectKeyId(draft.subjectKeyId ?? keyIdOf(draft.publicKey)),
      authorityKeyId(authority),
      ...urlExtensions(urls),
    ],
  }));
  const der = refusing(() => buildCertificate(fields, signerFor(key, wishes)));
  return builtCertificate(der, fields, draft.publicKey);
}

/** Keeps the certificate, so that it can be found and revoked: it leaves only once this is durable. */
export async function storeCertificate(
  services: PkiServices,
  certificate: Certificate,
  issuerId: string,
  role: string,
): Promise<string> {
  const serial = serialText(certificate.serial);
  if (!(await services.certificates.isFree(serial))) throw new ApiError(500, "the serial number is taken; try again");
  services.certificates.put(serial, storedForm(certificate, issuerId, role));
  return serial;
}

/** OCSP may not say of an issuer that leaves certificates unstored that it never issued what it does not know. */
export async function rememberUnstored(services: PkiServices, issuerId: string): Promise<void> {
  const key = `unstored/${issuerId}`;
  if ((await services.storage.get(key)) === undefined) services.storage.put(key, Buffer.from("1"));
}
