/** Issues certificates under a role: with a key that is made for them, or for the key of a signing request. */
import type { KeyObject } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import type { Context } from "../../api/path.ts";
import { subjectAltName } from "../../lib/x509/alternative-names.ts";
import type { Certificate } from "../../lib/x509/certificate.ts";
import type { CertificateRequest } from "../../lib/x509/certificate-request.ts";
import { hasNames } from "../../lib/x509/general-name.ts";
import { type KeyKind, type PublicKey, publicKeyOf } from "../../lib/x509/key.ts";
import { encodeSubject, isEmptyName } from "../../lib/x509/name.ts";
import { nameViolation } from "../../lib/x509/name-constraints.ts";
import { type AskedNames, type NameFields, namesUnderRole } from "./asked-names.ts";
import { readCsr, requireKeyOfRole } from "./csr.ts";
import { keyKind } from "./key-type.ts";
import type { NameRules } from "./name-rules.ts";
import { refusing } from "./refusal.ts";
import type { Role } from "./role-fields.ts";
import type { PkiServices } from "./services.ts";
import { type Draft, rememberUnstored, type SigningIssuer, signDraft, storeCertificate } from "./signing.ts";
import { roleExtensions } from "./usage-extensions.ts";
import { leafRuleFor, type ValidityFields, validityOf, validityRules, withinIssuer } from "./validity.ts";

type Templating = Pick<Context<PkiServices>, "fillTemplate">;
export type Warn = (message: string) => void;

/** Domains and URIs of the role, as they read for this caller. An entry that has no value for them is passed over. */
export async function nameRules(role: Readonly<Role>, context: Templating): Promise<NameRules> {
  const filled = async (entries: readonly string[], isTemplate: boolean): Promise<readonly string[]> => {
    if (!isTemplate) return entries;
    const lists = await Promise.all(
      entries.map(async (entry) => {
        if (!entry.includes("{{")) return [entry];
        const values = await context.fillTemplate(entry);
        if (role.allow_globs_in_identity_templates) return values;
        // A person who may choose their own name must not become everybody by calling themselves *.
        const stars = entry.split("*").length;
        return values.filter((value) => value.split("*").length === stars);
      }),
    );
    return lists.flat();
  };
  return {
    role,
    domains: await filled(role.allowed_domains, role.allowed_domains_template),
    uris: await filled(role.allowed_uri_sans, role.allowed_uri_sans_template),
  };
}

function subjectUnderRole(role: Readonly<Role>, asked: AskedNames): Uint8Array {
  return refusing(() =>
    encodeSubject({
      country: role.country,
      province: role.province,
      locality: role.locality,
      streetAddress: role.street_address,
      postalCode: role.postal_code,
      organization: role.organization,
      organizationalUnit: role.ou,
      commonName: asked.commonName,
      serialNumber: asked.serialNumber,
      userIds: asked.userIds,
    }),
  );
}

export interface RoleRequest {
  readonly fields: NameFields & ValidityFields;
  readonly role: Readonly<Role>;
  readonly rules: NameRules;
  readonly csr?: CertificateRequest | undefined;
  readonly now: Date;
  readonly warn: Warn;
  /** Extended key usages in place of the role's. */
  readonly usageIds?: readonly string[] | undefined;
}

/** What would be signed for this request. Refuses what the role does not allow. */
export function draftUnderRole(
  services: PkiServices,
  request: RoleRequest,
  publicKey: PublicKey,
  { issuer }: SigningIssuer,
): Draft {
  const { fields, role, rules, csr, now, warn } = request;
  const asked = namesUnderRole(fields, csr, rules, warn);
  const validity = withinIssuer(
    validityOf(fields, validityRules(role, services.mount), now, warn),
    issuer,
    leafRuleFor(fields, role, issuer),
  );
  const subject = subjectUnderRole(role, asked);
  warnOfConstraints(issuer.certificate, asked, warn);
  return {
    ...validity,
    subject,
    publicKey,
    extensions: [
      ...roleExtensions(role, publicKey.kind.type, request.usageIds),
      ...(hasNames(asked.names) ? [refusing(() => subjectAltName(asked.names, isEmptyName(subject)))] : []),
    ],
  };
}

function warnOfConstraints({ extensions }: Certificate, { names }: AskedNames, warn: Warn): void {
  const violation = extensions.nameConstraints && nameViolation(extensions.nameConstraints, names);
  if (violation !== undefined) warn(`clients will not accept this certificate from its issuer: ${violation}`);
}

/** The kind of key to make: the role's, or where it allows any, the request's. */
export function issuedKeyKind(
  role: Readonly<Role>,
  asked: { readonly key_type: string; readonly key_bits: number },
  warn: Warn,
): KeyKind {
  if (role.key_type !== "any") {
    if (asked.key_type !== "" || asked.key_bits !== 0) {
      warn("parameters key_type and key_bits ignored as role had specific values");
    }
    return keyKind(role.key_type, role.key_bits);
  }
  if (asked.key_type === "") {
    throw invalidRequest(
      'role key type "any" not allowed for issuing certificates without providing key_type and/or key_bits request parameters',
    );
  }
  return keyKind(asked.key_type, asked.key_bits);
}

/** Signs and, unless the role says otherwise, stores. */
export async function signUnderRole(
  services: PkiServices,
  draft: Draft,
  issuer: SigningIssuer,
  role: Readonly<Role>,
  roleName: string,
): Promise<Certificate> {
  const wishes = { bits: role.signature_bits, pss: role.use_pss };
  const certificate = await signDraft(services, draft, issuer, wishes);
  if (role.no_store) await rememberUnstored(services, issuer.issuer.id);
  else await storeCertificate(services, certificate, issuer.issuer.id, roleName);
  return certificate;
}

/** The request of a role that signs. */
export function csrForRole(text: string, role: Readonly<Role>, warn: Warn): CertificateRequest {
  const csr = readCsr(text);
  requireKeyOfRole(csr.publicKey, role);
  if (csr.extensions.basicConstraints) {
    warn("the CSR contains a Basic Constraints extension, which was ignored: certificates of this role are no CAs");
  }
  return csr;
}

export const publicHalf = (key: KeyObject): PublicKey => publicKeyOf(key);
