/** Declares how requests are signed as they are, without a role's rules. */
import { invalidRequest } from "../../api/errors.ts";
import { type Fields, flag, list, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { basicConstraints } from "../../lib/x509/basic-constraints.ts";
import type { CertificateRequest } from "../../lib/x509/certificate-request.ts";
import { type Extension, extensionIds } from "../../lib/x509/extension.ts";
import { encodeSubject } from "../../lib/x509/name.ts";
import { extendedUsageFields, signatureFields } from "./ca-fields.ts";
import { readCsr } from "./csr.ts";
import { dryRunField, dryRunFields, shownDraft } from "./dry-run.ts";
import { leasedIf, validityFields } from "./issue.paths.ts";
import { formatFields, requireFormat, shownSigned, signedFields } from "./issued.ts";
import { joinedNames } from "./joined-names.ts";
import { requireSignatureBits } from "./key-type.ts";
import { permissiveRole } from "./permissive-role.ts";
import { refusing } from "./refusal.ts";
import type { Role } from "./role-fields.ts";
import type { PkiServices } from "./services.ts";
import { type Draft, issuerExtensionIds, issuerFor, rememberUnstored, signDraft, storeCertificate } from "./signing.ts";
import { extendedUsageExtension, extendedUsageIds, keyUsageExtension, usagesNamed } from "./usage-extensions.ts";
import { leafRuleFor, validityOf, validityRules, withinIssuer } from "./validity.ts";

const path = pathsFor<PkiServices>();

const verbatimFields = {
  csr: text("Signing request, in PEM").default(""),
  name: text("Role whose ttl, max_ttl, generate_lease, no_store and the like apply").default(""),
  issuer_ref: text("Issuer that signs").default(""),
  ...validityFields,
  ...formatFields,
  ...signatureFields,
  ...extendedUsageFields,
  key_usage: list("Key usages, if the request has none; empty for none").default([
    "DigitalSignature",
    "KeyAgreement",
    "KeyEncipherment",
  ]),
  user_ids: list("User ids to add to the subject").default([]),
  basic_constraints_valid_for_non_ca: flag("Say that the certificate is no CA").default(false),
  remove_roots_from_chain: flag("Leave self-signed certificates out of ca_chain").default(false),
  ...dryRunField,
} satisfies Fields;

const signVerbatim = path({
  pattern: [
    "sign-verbatim",
    "sign-verbatim/:name",
    "issuer/:issuer_ref/sign-verbatim",
    "issuer/:issuer_ref/sign-verbatim/:name",
  ],
  summary: "Sign a request as it is",
  params: {
    name: text("Role whose ttl, max_ttl, generate_lease, no_store and the like apply").default(""),
    issuer_ref: text("Issuer that signs: its id, its name, or default").default(""),
  },
  write: {
    summary: "Sign a request as it is; one for an authority is refused",
    input: verbatimFields,
    queryInput: ["dry_run"],
    output: { ...signedFields, ...dryRunFields },
    handler: (input, context) => sign(input, context),
  },
  examples: [{ operation: "write", request: { csr: "-----BEGIN CERTIFICATE REQUEST-----\n…", ttl: "24h" } }],
});

type Input = Values<typeof verbatimFields>;

async function sign(input: Input, { services, now, warn, given }: Context<PkiServices>) {
  requireFormat(input.format);
  requireSignatureBits(input.signature_bits);
  const role = input.name === "" ? permissiveRole : await services.roles.require(input.name);
  const ref = input.issuer_ref || role.issuer_ref;
  const signer = await issuerFor(services, ref, "issuing-certificates", input.issuer_ref === "" ? 400 : 404);
  const csr = readCsr(input.csr);
  refuseAuthority(csr);
  const rules = validityRules(
    { ttl: role.ttl, max_ttl: role.max_ttl, not_before_duration: role.not_before_duration },
    services.mount,
  );
  const validity = withinIssuer(
    validityOf(input, rules, now, warn),
    signer.issuer,
    leafRuleFor(input, role, signer.issuer),
  );
  const isNoAuthority = given("basic_constraints_valid_for_non_ca")
    ? input.basic_constraints_valid_for_non_ca
    : role.basic_constraints_valid_for_non_ca;
  const draft: Draft = {
    ...validity,
    subject: subjectWith(csr, input.user_ids),
    publicKey: csr.publicKey,
    extensions: verbatimExtensions(csr, input, isNoAuthority),
  };
  if (input.dry_run) return shownDraft(draft, signer.issuer);
  const certificate = await signDraft(services, draft, signer, { bits: input.signature_bits, pss: input.use_pss });
  if (role.no_store) await rememberUnstored(services, signer.issuer.id);
  else await storeCertificate(services, certificate, signer.issuer.id, input.name);
  services.metrics.count("pki_signed_verbatim_total", "Certificates issued for signing requests as they were");
  const shown = { format: input.format, removeRoots: input.remove_roots_from_chain };
  const data = await shownSigned(services, certificate, signer.issuer, shown);
  return leasedIf(role.generate_lease && isStored(role), data, certificate, now);
}

const isStored = ({ no_store }: Readonly<Role>): boolean => !no_store;

function refuseAuthority({ extensions }: CertificateRequest): void {
  if (extensions.basicConstraints?.isAuthority) {
    throw invalidRequest(
      "refusing to sign an intermediate CA certificate: the CSR asks for a CA; use sign-intermediate",
    );
  }
  if (extensions.keyUsages?.includes("CertSign")) {
    throw invalidRequest(
      "refusing to sign an intermediate CA certificate: the CSR asks for the key usage CertSign; use sign-intermediate",
    );
  }
}

function verbatimExtensions(csr: CertificateRequest, input: Input, isNoAuthority: boolean): Extension[] {
  const { byId } = csr.extensions;
  const kept = csr.extensions.all.filter(
    ({ oid }) => !issuerExtensionIds.has(oid) && oid !== extensionIds.basicConstraints,
  );
  const usages = byId.has(extensionIds.keyUsage) ? [] : keyUsageExtension(usagesNamed(input.key_usage));
  const extended = byId.has(extensionIds.extendedKeyUsage)
    ? []
    : extendedUsageExtension(extendedUsageIds(input.ext_key_usage, input.ext_key_usage_oids));
  return [...usages, ...extended, ...(isNoAuthority ? [basicConstraints({ isAuthority: false })] : []), ...kept];
}

function subjectWith({ subject }: CertificateRequest, userIds: readonly string[]): Uint8Array {
  if (userIds.length === 0) return subject.der;
  return joinedNames(
    subject.der,
    refusing(() => encodeSubject({ userIds })),
  );
}

export const signVerbatimPaths = [signVerbatim];
