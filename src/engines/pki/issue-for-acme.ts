/** Issues what an ACME client has proven that it may have. */
import { invalidRequest } from "../../api/errors.ts";
import type { Certificate } from "../../lib/x509/certificate.ts";
import { isRequestSigned } from "../../lib/x509/certificate-request.ts";
import type { AlternativeNames } from "../../lib/x509/general-name.ts";
import { extendedKeyUsages } from "../../lib/x509/key-usage.ts";
import { subjectOf } from "../../lib/x509/name.ts";
import { serialText } from "../../lib/x509/serial-number.ts";
import { parsedCsr, requireKeyOfRole } from "./csr.ts";
import { draftUnderRole, signUnderRole } from "./issue.ts";
import type { Issuer } from "./issuer.ts";
import { permissiveRole } from "./permissive-role.ts";
import type { Role } from "./role-fields.ts";
import type { PkiServices } from "./services.ts";
import { issuerFor } from "./signing.ts";

export interface AcmeIssue {
  /** DER of the CSR. Its names must have been compared with the order's already. */
  readonly csr: Uint8Array;
  /** Empty to sign whatever was proven. */
  readonly role: string;
  /** Empty for the role's. */
  readonly issuerRef: string;
  /** When false, certificates are for servers only, whatever the role says. */
  readonly allowRoleExtKeyUsage: boolean;
  readonly maxSeconds?: number;
  readonly now: Date;
}

export interface AcmeIssued {
  readonly certificate: Certificate;
  readonly serial: string;
  readonly issuer: Issuer;
  /** PEM of the certificate's issuer, and of those above it. */
  readonly chain: readonly Issuer[];
}

const longestLife = 90 * 86_400;

/** Signs and stores. Throws an `ApiError` of status 400 for what the role refuses. */
export async function issueForAcme(services: PkiServices, asked: AcmeIssue): Promise<AcmeIssued> {
  const named = asked.role === "" ? permissiveRole : await services.roles.require(asked.role);
  if (named.no_store) throw invalidRequest("ACME needs roles that store certificates: no_store must be false");
  const role: Role = { ...named, use_csr_common_name: true, use_csr_sans: true, allowed_domains_template: false };
  const signer = await issuerFor(services, asked.issuerRef || role.issuer_ref, "issuing-certificates");
  const issuer: Issuer =
    signer.issuer.leaf_not_after_behavior === "err"
      ? { ...signer.issuer, leaf_not_after_behavior: "truncate" }
      : signer.issuer;
  const csr = parsedCsr(asked.csr);
  if (!isRequestSigned(csr)) throw invalidRequest("request signature invalid");
  requireKeyOfRole(csr.publicKey, role);
  const commonName = subjectOf(csr.subject).commonName || (role.require_cn ? firstName(csr.extensions.names) : "");
  const longest = Math.min(asked.maxSeconds ?? longestLife, longestLife);
  const capped: Role = { ...role, max_ttl: Math.min(role.max_ttl || services.mount.maxLeaseSeconds, longest) };
  const draft = draftUnderRole(
    services,
    {
      fields: { ...nothingAsked, common_name: commonName },
      role: capped,
      rules: { role: capped, domains: capped.allowed_domains, uris: capped.allowed_uri_sans },
      csr,
      now: asked.now,
      warn: () => {},
      usageIds: asked.allowRoleExtKeyUsage ? undefined : [extendedKeyUsages.ServerAuth],
    },
    csr.publicKey,
    { ...signer, issuer },
  );
  const certificate = await signUnderRole(services, draft, signer, capped, asked.role);
  const chain = await services.issuers.chainOf(signer.issuer);
  return { certificate, serial: serialText(certificate.serial), issuer: signer.issuer, chain };
}

const nothingAsked = {
  common_name: "",
  alt_names: [],
  ip_sans: [],
  uri_sans: [],
  other_sans: "",
  serial_number: "",
  user_ids: [],
  exclude_cn_from_sans: false,
  ttl: 0,
  not_before: "",
  not_after: "",
} as const;

const firstName = ({ dnsNames, ips }: AlternativeNames): string =>
  dnsNames.find((name) => name.startsWith("*.")) ?? dnsNames[0] ?? ips[0] ?? "";
