/** Brings certificates of authorities and their keys into a mount. */
import { invalidRequest } from "../../api/errors.ts";
import { dictionary, type Fields, items } from "../../api/fields.ts";
import { type Certificate, isAuthority, parseCertificate } from "../../lib/x509/certificate.ts";
import { type PemBlock, parsePem, pemText } from "../../lib/x509/pem.ts";
import { parsePrivateKeyPem } from "../../lib/x509/private-key.ts";
import { X509Error } from "../../lib/x509/x509-error.ts";
import { serialOf } from "./certificate.ts";
import type { Issuer } from "./issuer.ts";
import { afterNewIssuers } from "./new-issuer.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";

export const importOutput = {
  mapping: dictionary("Key of each issuer, by ids; empty for one without"),
  imported_issuers: items("Ids of issuers that are new").nullable(),
  imported_keys: items("Ids of keys that are new").nullable(),
  existing_issuers: items("Ids of issuers that were there already").nullable(),
  existing_keys: items("Ids of keys that were there already").nullable(),
} satisfies Fields;

interface ImportOptions {
  readonly allowKeys: boolean;
  readonly now: Date;
  readonly warn: (message: string) => void;
}

const certificateKinds = new Set(["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]);
const passedOver = new Set(["X509 CRL", "EC PARAMETERS"]);
const shortest = 75;

export async function importBundle(services: PkiServices, text: string, { allowKeys, now, warn }: ImportOptions) {
  const { certificates, keys } = readBundle(text);
  if (keys.length > 0 && !allowKeys) {
    throw invalidRequest(
      "private keys found in the PEM bundle but not allowed by the path; use /issuers/import/bundle",
    );
  }
  const keyIds = await importKeys(services, keys);
  const issuers = await importIssuers(services, certificates);
  await linkKeys(services, issuers.mapping);
  if (issuers.added.length > 0 || keyIds.imported.length > 0) {
    const added = await Promise.all(issuers.added.map((id) => services.issuers.byId(id)));
    await afterNewIssuers(
      services,
      added.filter((issuer) => issuer !== undefined),
      now,
      warn,
    );
  }
  return {
    mapping: Object.fromEntries(issuers.mapping),
    imported_issuers: orNull(issuers.added),
    imported_keys: orNull(keyIds.imported),
    existing_issuers: orNull(issuers.existing),
    existing_keys: orNull(keyIds.existing),
  };
}

const orNull = (ids: readonly string[]): string[] | null => (ids.length > 0 ? [...ids] : null);

function readBundle(text: string) {
  if (text.trim() === "") throw invalidRequest("'pem_bundle' and 'certificate' parameters were empty");
  if (text.length < shortest) {
    throw invalidRequest(
      "provided data for import was too short; perhaps a path was passed to the API rather than the contents of a PEM file",
    );
  }
  const blocks = refusing(() => parsePem(text), "error when parsing block 1: ");
  if (blocks.length === 0) throw invalidRequest("error when parsing block 1: invalid PEM data");
  const wanted = blocks.filter(({ kind }) => !passedOver.has(kind));
  return {
    certificates: wanted.filter(({ kind }) => certificateKinds.has(kind)),
    keys: wanted.filter(({ kind }) => !certificateKinds.has(kind)),
  };
}

async function importKeys(services: PkiServices, blocks: readonly PemBlock[]) {
  const imported: string[] = [];
  const existing: string[] = [];
  for (const { kind, der } of blocks) {
    const privateKey = refusing(() => parsePrivateKeyPem(pemText(kind, der)), "error parsing key: ");
    const { key, isNew } = await services.keys.add(privateKey, "");
    (isNew ? imported : existing).push(key.id);
  }
  return { imported, existing };
}

async function importIssuers(services: PkiServices, blocks: readonly PemBlock[]) {
  const mapping = new Map<string, string>();
  const added: string[] = [];
  const existing: string[] = [];
  for (const [index, { der }] of blocks.entries()) {
    const certificate = readAuthority(der, index);
    const key = await services.keys.withPublicKey(certificate.publicKey);
    const { issuer, isNew } = await services.issuers.add(
      { certificate, keyId: key?.id ?? "", name: "" },
      serialOf(certificate),
    );
    (isNew ? added : existing).push(issuer.id);
    mapping.set(issuer.id, issuer.key_id);
  }
  return { mapping, added, existing };
}

function readAuthority(der: Uint8Array, index: number): Certificate {
  try {
    const certificate = parseCertificate(der);
    // Looked at now, since a key of an unknown kind shows only when it is used.
    certificate.publicKey;
    if (isAuthority(certificate)) return certificate;
  } catch (error) {
    if (!(error instanceof X509Error)) throw error;
    throw invalidRequest(`Error parsing issuer ${index}: ${error.message}`);
  }
  throw invalidRequest(
    `Error parsing issuer ${index}: Refusing to import non-CA certificate\n${pemText("CERTIFICATE", der)}`,
  );
}

/** A key may come after its certificate. */
export async function linkKeys(services: PkiServices, mapping: Map<string, string> = new Map()): Promise<void> {
  for (const issuer of await services.issuers.all()) {
    if (issuer.key_id !== "") continue;
    const key = await services.keys.withPublicKey(issuer.certificate.publicKey);
    if (!key) continue;
    const linked: Issuer = await services.issuers.save(issuer, { key_id: key.id });
    if (mapping.has(linked.id)) mapping.set(linked.id, key.id);
  }
}
