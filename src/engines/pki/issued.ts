/** How an issued certificate is shown to whoever asked for it. */
import type { KeyObject } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import type { Fields } from "../../api/fields.ts";
import { integer, items, sensitive, text } from "../../api/fields.ts";
import type { Certificate } from "../../lib/x509/certificate.ts";
import { kindOf } from "../../lib/x509/key.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { privateKeyDer, privateKeyPem } from "../../lib/x509/private-key.ts";
import { serialText } from "../../lib/x509/serial-number.ts";
import type { Issuer } from "./issuer.ts";
import type { PkiServices } from "./services.ts";

export const formatFields = {
  format: text("Form of the answer: pem, der (base64), or pem_bundle").default("pem"),
} satisfies Fields;

export const privateKeyFormatFields = {
  private_key_format: text("Form of the private key: der for the usual one, or pkcs8").default("der"),
} satisfies Fields;

export const signedFields = {
  certificate: text("The certificate; with format pem_bundle, what belongs to it too"),
  issuing_ca: text("Certificate of the issuer"),
  ca_chain: items("Certificates from the issuer up to the root"),
  serial_number: text("Serial number, as octets with colons between"),
  not_before: integer("When the certificate begins to be valid, in seconds since 1970"),
  expiration: integer("When the certificate ends, in seconds since 1970"),
} satisfies Fields;

export const privateKeyFields = {
  private_key: sensitive(text("The private key: given out once, and kept nowhere")),
  private_key_type: text("Type of the private key"),
} satisfies Fields;

export const issuedFields = { ...signedFields, ...privateKeyFields } satisfies Fields;

const formats = ["pem", "der", "pem_bundle"];

const keyFormats = ["", "der", "pem", "pkcs8"];

export function requireFormat(format: string, keyFormat = ""): void {
  if (!formats.includes(format)) {
    throw invalidRequest('the "format" path parameter must be "pem", "der", or "pem_bundle"');
  }
  if (!keyFormats.includes(keyFormat)) {
    throw invalidRequest('private_key_format must be "der" or "pkcs8"');
  }
}

export const inForm = (der: Uint8Array, format: string): string =>
  format === "der" ? Buffer.from(der).toString("base64") : pemText("CERTIFICATE", der);

/** Issuers are shown again and again. */
const issuerInForm = ({ pem, certificate }: Issuer, format: string): string =>
  format === "der" ? inForm(certificate.der, format) : pem;

export interface Shown {
  readonly format: string;
  readonly removeRoots?: boolean;
}

export async function shownSigned(services: PkiServices, certificate: Certificate, issuer: Issuer, shown: Shown) {
  const chain = await services.issuers.chainOf(issuer);
  const kept = shown.removeRoots ? chain.filter((link) => !link.isSelfSigned) : chain;
  const own = inForm(certificate.der, shown.format);
  const withIssuer = shown.format === "pem_bundle" && !(issuer.is_own_root && issuer.isSelfSigned);
  return {
    certificate: withIssuer ? `${own}\n${issuer.pem}` : own,
    issuing_ca: issuerInForm(issuer, shown.format),
    ca_chain: kept.map((link) => issuerInForm(link, shown.format)),
    serial_number: serialText(certificate.serial),
    not_before: Math.floor(certificate.notBefore.getTime() / 1000),
    expiration: Math.floor(certificate.notAfter.getTime() / 1000),
  };
}

export function shownKey(key: KeyObject, format: string, keyFormat: string) {
  const form = keyFormat === "pkcs8" ? "pkcs8" : "traditional";
  const private_key =
    format === "der" ? Buffer.from(privateKeyDer(key, form)).toString("base64") : privateKeyPem(key, form);
  return { private_key, private_key_type: kindOf(key).type };
}

/** The key in front of what it belongs to, in its traditional form whatever was asked for. */
export const bundled = (key: KeyObject, rest: string): string => `${privateKeyPem(key, "traditional")}\n${rest}`;
