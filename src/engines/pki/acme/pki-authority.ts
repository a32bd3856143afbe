/** The certificate authority of the mount, as ACME sees it. */
import { ApiError, invalidRequest } from "../../../api/errors.ts";
import type { CertificateRequest } from "../../../lib/x509/certificate-request.ts";
import { extendedKeyUsages } from "../../../lib/x509/key-usage.ts";
import { encodeSubject, parseName, subjectOf } from "../../../lib/x509/name.ts";
import { pemText } from "../../../lib/x509/pem.ts";
import { serialText } from "../../../lib/x509/serial-number.ts";
import { namesUnderRole } from "../asked-names.ts";
import { derOf } from "../certificate.ts";
import { requireKeyOfRole } from "../csr.ts";
import { draftUnderRole, signUnderRole } from "../issue.ts";
import type { Issuer } from "../issuer.ts";
import { permissiveRole } from "../permissive-role.ts";
import { revokeSerial } from "../revoke.ts";
import type { Role } from "../role-fields.ts";
import type { PkiServices } from "../services.ts";
import { issuerFor } from "../signing.ts";
import type { Authority, IssuedCertificate, Wish } from "./authority.ts";
import { chainsFrom } from "./chains.ts";
import type { Identifier } from "./identifier.ts";

const leastRsaBits = 2048;

/** What a request of ACME says beside its CSR. */
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

const quiet = () => {};

export const pkiAuthority = (services: () => PkiServices): Authority => ({
  async clusterPath() {
    const { path } = await services().settings.cluster.get();
    return path.replace(/\/+$/, "");
  },
  async role(name) {
    const role = await services().roles.find(name);
    return role && { noStore: role.no_store, issuerRef: role.issuer_ref };
  },
  async issuer(ref) {
    const issuer = await services().issuers.find(ref);
    if (!issuer) return undefined;
    return { id: issuer.id, canIssue: issuer.key_id !== "" && issuer.usage.includes("issuing-certificates") };
  },
  refusal: (role, identifier) => refusalOf(services(), role, identifier),
  issue: (wish) => issue(services(), wish),
  async certificate(serial) {
    const [stored, revoked] = await Promise.all([
      services().certificates.get(serial),
      services().revocations.get(serial),
    ]);
    return stored && { der: derOf(stored), revokedAt: revoked?.at };
  },
  async revoke(serial, reason, now) {
    if (!(await revokeSerial(services(), serial, reason, now))) throw invalidRequest("the certificate has expired");
  },
});

const actingRole = (role: Readonly<Role>): Role => ({
  ...role,
  use_csr_common_name: true,
  use_csr_sans: true,
  // There is no caller whose identity could be filled in.
  allowed_domains: role.allowed_domains_template
    ? role.allowed_domains.filter((domain) => !domain.includes("{{"))
    : role.allowed_domains,
  allowed_domains_template: false,
});

const rulesOf = (role: Role) => ({ role, domains: role.allowed_domains, uris: role.allowed_uri_sans });

async function refusalOf(services: PkiServices, name: string, { type, value }: Identifier) {
  const role = actingRole(await services.roles.require(name));
  const fields = { ...nothingAsked, ...(type === "ip" ? { ip_sans: [value] } : { alt_names: [value] }) };
  try {
    namesUnderRole(fields, undefined, rulesOf({ ...role, require_cn: false }), quiet);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Signs and stores. */
async function issue(services: PkiServices, wish: Wish): Promise<IssuedCertificate> {
  const { request, now } = wish;
  const named = wish.role === undefined ? permissiveRole : await services.roles.require(wish.role);
  const role = actingRole(named);
  requireKey(request, role);
  const signer = await issuerFor(services, wish.issuer, "issuing-certificates");
  const csr = onlyNames(request, role.require_cn);
  const draft = draftUnderRole(
    services,
    {
      fields: nothingAsked,
      role,
      rules: rulesOf(role),
      csr,
      now,
      warn: quiet,
      usageIds: wish.isForServersOnly ? [extendedKeyUsages.ServerAuth] : undefined,
    },
    csr.publicKey,
    { ...signer, issuer: truncating(signer.issuer) },
  );
  const notAfter = earliest(draft.notAfter, new Date(now.getTime() + wish.maxSeconds * 1000), wish.notAfter);
  const certificate = await signUnderRole(services, { ...draft, notAfter }, signer, role, wish.role ?? "");
  return {
    serial: serialText(certificate.serial),
    notAfter,
    chains: await chainsOf(services, certificate.der, signer.issuer),
  };
}

function requireKey({ publicKey }: CertificateRequest, role: Role): void {
  const { type, bits } = publicKey.kind;
  if (type === "rsa" && bits < leastRsaBits) {
    throw invalidRequest(`RSA keys of less than ${leastRsaBits} bits are unsafe and not supported`);
  }
  requireKeyOfRole(publicKey, role);
}

/** Only names were proven: nothing else of the subject may slip into the certificate. */
function onlyNames(request: CertificateRequest, isNameRequired: boolean): CertificateRequest {
  const { dnsNames, ips } = request.extensions.names;
  const first = dnsNames.find((name) => name.startsWith("*.")) ?? dnsNames[0] ?? ips[0] ?? "";
  const commonName = subjectOf(request.subject).commonName || (isNameRequired ? first : "");
  return { ...request, subject: parseName(encodeSubject({ commonName })) };
}

/** A client of ACME cannot ask for less: the certificate ends with its issuer instead of being refused. */
const truncating = (issuer: Issuer): Issuer =>
  issuer.leaf_not_after_behavior === "err" ? { ...issuer, leaf_not_after_behavior: "truncate" } : issuer;

const earliest = (...dates: (Date | undefined)[]): Date =>
  new Date(Math.min(...dates.flatMap((date) => (date ? [date.getTime()] : []))));

async function chainsOf(services: PkiServices, leaf: Uint8Array, issuer: Issuer): Promise<string[]> {
  const pem = pemText("CERTIFICATE", leaf);
  const textOf = (chain: readonly Issuer[]) => `${[pem, ...chain.map((link) => link.pem)].join("\n")}\n`;
  // What the operator has set by hand is the chain, and there is no other.
  if (issuer.manual_chain.length > 0) return [textOf(await services.issuers.chainOf(issuer))];
  const known = await services.issuers.all();
  const twins = known.filter(({ group }) => group === issuer.group);
  return chainsFrom(issuer, twins, known).map(textOf);
}
