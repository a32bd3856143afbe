/** Revokes certificates. */
import type { KeyObject } from "node:crypto";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { type Certificate, parseCertificate } from "../../lib/x509/certificate.ts";
import { isIssuedBy } from "../../lib/x509/issuing.ts";
import { publicKeyOf } from "../../lib/x509/key.ts";
import { parsePem } from "../../lib/x509/pem.ts";
import { parsePrivateKeyPem } from "../../lib/x509/private-key.ts";
import { revocationReasons } from "../../lib/x509/revocation-extensions.ts";
import { parseSerialText, serialText } from "../../lib/x509/serial-number.ts";
import { derOf, parsedForm, type StoredCertificate, serialOf, storedForm } from "./certificate.ts";
import { afterRevocation } from "./crl-build.ts";
import { refusing } from "./refusal.ts";
import type { Revocation } from "./revocation.ts";
import type { PkiServices } from "./services.ts";

type Warn = (message: string) => void;

export interface RevokeFields {
  readonly serial_number: string;
  readonly certificate: string;
  readonly reason: string;
}

export interface Target {
  readonly serial: string;
  readonly stored: StoredCertificate;
  /** It came with the request and is not stored yet. */
  readonly isNew: boolean;
}

/** The certificate that a request means. */
export async function targetOf(
  services: PkiServices,
  { serial_number, certificate }: RevokeFields,
  given: (field: string) => boolean,
): Promise<Target> {
  const hasSerial = given("serial_number") && (serial_number !== "" || !given("certificate"));
  const hasCertificate = given("certificate") && certificate !== "";
  if (hasSerial && hasCertificate) {
    throw invalidRequest("Must provide either the certificate or the serial to revoke; not both.");
  }
  if (!hasSerial && !hasCertificate) {
    throw invalidRequest("The serial number or certificate to revoke must be provided.");
  }
  return hasCertificate ? byCertificate(services, certificate) : bySerial(services, serial_number);
}

async function bySerial(services: PkiServices, text: string): Promise<Target> {
  if (text.trim() === "") throw invalidRequest("The serial number must be provided");
  const number = parseSerialText(text.trim());
  if (number === undefined)
    throw invalidRequest(
      `${JSON.stringify(text)} is not a serial number: expected hexadecimal octets with colons or hyphens between`,
    );
  const serial = serialText(number);
  await refuseIssuer(services, serial);
  const stored = await services.certificates.get(serial);
  if (!stored) throw invalidRequest(`certificate with serial ${serial} not found.`);
  return { serial, stored, isNew: false };
}

async function byCertificate(services: PkiServices, text: string): Promise<Target> {
  const certificate = readCertificate(text);
  const serial = serialOf(certificate);
  const stored = await services.certificates.get(serial);
  if (stored) {
    if (Buffer.compare(derOf(stored), certificate.der) !== 0) {
      throw invalidRequest(`certificate with same serial but unequal value already present in this mount: ${serial}`);
    }
    await refuseIssuer(services, serial);
    return { serial, stored, isNew: false };
  }
  await refuseIssuer(services, serial);
  const issuers = await services.issuers.all();
  const issuer = issuers.find((each) => isIssuedBy(certificate, each.certificate));
  if (!issuer) {
    throw invalidRequest(
      "unable to verify signature on presented cert from any present issuer in this mount; certificates from previous CAs will need to have their issuing CA and key re-imported if revocation is necessary",
    );
  }
  return { serial, stored: storedForm(certificate, issuer.id, ""), isNew: true };
}

function readCertificate(text: string): Certificate {
  const blocks = refusing(() => parsePem(text), "certificate could not be PEM-decoded: ");
  const [block] = blocks;
  if (!block) throw invalidRequest("certificate could not be PEM-decoded: no PEM data found");
  const certificate = refusing(() => parseCertificate(block.der));
  refusing(() => certificate.publicKey);
  return certificate;
}

async function refuseIssuer(services: PkiServices, serial: string): Promise<void> {
  const issuer = await services.issuers.withSerial(serial);
  if (issuer) throw invalidRequest(`adding issuer (id: ${issuer.id}) to its own CRL is not allowed`);
}

/** Undefined where it was too late. Revoking again gives the first time again. */
export async function revoke(
  services: PkiServices,
  { serial, stored, isNew }: Target,
  reason: number,
  now: Date,
  warn: Warn,
): Promise<Revocation | undefined> {
  const before = await services.revocations.get(serial);
  if (before) return before;
  const settings = await services.settings.crl.get();
  if (!settings.allow_expired_cert_revocation && stored.not_after * 1000 < now.getTime() + 2000) {
    warn(
      `certificate with serial ${serial} already expired; refusing to add to CRL. Set allow_expired_cert_revocation in config/crl to revoke it all the same.`,
    );
    return undefined;
  }
  if (isNew) services.certificates.put(serial, stored);
  const revocation = { at: now.getTime(), reason, issuer_id: stored.issuer_id, not_after: stored.not_after };
  services.revocations.put(serial, revocation, settings.enable_delta);
  services.metrics.count("pki_revoked_total", "Certificates revoked");
  await afterRevocation(services, [stored.issuer_id], now, warn);
  return revocation;
}

const refusedReasons = new Set(["removeFromCRL", "certificateHold"]);

/** By name or number. A hold would have to be lifted again, which there is no way for. */
export function reasonCode(text: string): number {
  if (text === "") return 0;
  const found = Object.entries(revocationReasons).find(
    ([name, code]) => name.toLowerCase() === text.toLowerCase() || String(code) === text,
  );
  if (found && !refusedReasons.has(found[0])) return found[1];
  const names = Object.keys(revocationReasons).filter((name) => !refusedReasons.has(name));
  throw invalidRequest(`unknown reason ${JSON.stringify(text)}: expected one of ${names.join(", ")}`);
}

/** Whoever holds the key may revoke its certificate. */
export function requireKeyOf({ stored }: Target, pem: string): void {
  if (pem.trim() === "") throw invalidRequest("Must have private key to revoke via the /revoke-with-key path.");
  if (pem.length < 64) {
    throw invalidRequest(
      "Provided data for private_key was too short; perhaps a path was passed to the API rather than the contents of a PEM file?",
    );
  }
  const given = publicOf(refusing(() => parsePrivateKeyPem(pem)));
  const { publicKey } = parsedForm(stored);
  if (given.kind.type !== publicKey.kind.type) {
    throw invalidRequest("provided private key type does not match certificate's public key type");
  }
  if (Buffer.compare(given.spki, publicKey.spki) !== 0) {
    throw invalidRequest("provided private key does not match certificate's public key");
  }
}

const publicOf = (key: KeyObject) => refusing(() => publicKeyOf(key));

/** For other parts of the engine: what is stored under a serial number is revoked, whoever asks. */
export async function revokeSerial(
  services: PkiServices,
  serial: string,
  reason: number,
  now: Date,
): Promise<Revocation | undefined> {
  const stored = await services.certificates.get(serial);
  if (!stored) throw new ApiError(404, `certificate with serial ${serial} not found.`);
  return revoke(services, { serial, stored, isNew: false }, reason, now, () => {});
}
