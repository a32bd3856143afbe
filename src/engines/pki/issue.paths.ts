/** Declares how certificates are issued and signed under a role. */
import { duration, type Fields, flag, integer, items, list, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Leased } from "../../api/reply.ts";
import type { Certificate } from "../../lib/x509/certificate.ts";
import { dryRunField, dryRunFields, shownDraft } from "./dry-run.ts";
import { csrForRole, draftUnderRole, issuedKeyKind, nameRules, publicHalf, signUnderRole } from "./issue.ts";
import {
  bundled,
  formatFields,
  issuedFields,
  privateKeyFormatFields,
  requireFormat,
  shownKey,
  shownSigned,
  signedFields,
} from "./issued.ts";
import type { PkiServices } from "./services.ts";
import { issuerFor } from "./signing.ts";

const path = pathsFor<PkiServices>();

export const validityFields = {
  ttl: duration("Lifetime; at most what the role or the mount allows").default(0),
  not_before: text("When the certificate begins to be valid, such as 2030-01-31T23:59:59Z").default(""),
  not_after: text("When the certificate ends, such as 2030-01-31T23:59:59Z").default(""),
} satisfies Fields;

export const askedNameFields = {
  common_name: text("Common name of the subject").default(""),
  alt_names: list("Host names and e-mail addresses").default([]),
  ip_sans: list("IP addresses").default([]),
  uri_sans: list("URIs").default([]),
  other_sans: items("Other names, as <oid>;UTF8:<value>: a list, or one text with commas between or of JSON").default(
    [],
  ),
  serial_number: text("Serial number of the subject, which is not that of the certificate").default(""),
  exclude_cn_from_sans: flag("Leave the common name out of the alternative names").default(false),
} satisfies Fields;

const requestFields = {
  ...askedNameFields,
  ...validityFields,
  ...formatFields,
  user_ids: list("User ids of the subject").default([]),
  remove_roots_from_chain: flag("Leave self-signed certificates out of ca_chain").default(false),
  ...dryRunField,
} satisfies Fields;

const issueFields = {
  ...requestFields,
  ...privateKeyFormatFields,
  key_type: text("Type of the key, where the role allows any").default(""),
  key_bits: integer("Size of the key, where the role allows any; 0 for the usual").default(0),
} satisfies Fields;

const signFields = { ...requestFields, csr: text("Signing request, in PEM").default("") } satisfies Fields;

const params = {
  name: text("Name of the role"),
  issuer_ref: text("Issuer that signs in place of the role's: its id, its name, or default").default(""),
};

const issue = path({
  pattern: ["issue/:name", "issuer/:issuer_ref/issue/:name"],
  summary: "Make a key, and issue a certificate for it",
  params,
  write: {
    summary: "Make a key, and issue a certificate for it under a role",
    input: issueFields,
    queryInput: ["dry_run"],
    output: { ...issuedFields, ...dryRunFields },
    async handler(input, context) {
      const { services, warn } = context;
      const { role, issuer } = await roleAndIssuer(input, context);
      requireFormat(input.format, input.private_key_format);
      const kind = issuedKeyKind(role, input, warn);
      const privateKey = await services.keyPool.take(kind);
      const request = { fields: input, role, rules: await nameRules(role, context), now: context.now, warn };
      const draft = draftUnderRole(services, request, publicHalf(privateKey), issuer);
      if (input.dry_run) return shownDraft(draft, issuer.issuer);
      const certificate = await signUnderRole(services, draft, issuer, role, input.name);
      const shown = {
        format: input.format === "pem_bundle" ? "pem" : input.format,
        removeRoots: input.remove_roots_from_chain,
      };
      const signed = await shownSigned(services, certificate, issuer.issuer, shown);
      const data = {
        ...signed,
        certificate: input.format === "pem_bundle" ? bundled(privateKey, signed.certificate) : signed.certificate,
        ...shownKey(privateKey, input.format, input.private_key_format),
      };
      services.metrics.count("pki_issued_total", "Certificates issued with a key");
      return leasedIf(role.generate_lease, data, certificate, context.now);
    },
  },
  examples: [{ operation: "write", request: { common_name: "www.example.com", ttl: "24h" } }],
});

const sign = path({
  pattern: ["sign/:name", "issuer/:issuer_ref/sign/:name"],
  summary: "Sign a request",
  params,
  write: {
    summary: "Sign a request under a role",
    input: signFields,
    queryInput: ["dry_run"],
    output: { ...signedFields, ...dryRunFields },
    async handler(input, context) {
      const { services, warn, now } = context;
      const { role, issuer } = await roleAndIssuer(input, context);
      requireFormat(input.format);
      const csr = csrForRole(input.csr, role, warn);
      const request = { fields: input, role, rules: await nameRules(role, context), csr, now, warn };
      const draft = draftUnderRole(services, request, csr.publicKey, issuer);
      if (input.dry_run) return shownDraft(draft, issuer.issuer);
      const certificate = await signUnderRole(services, draft, issuer, role, input.name);
      const shown = { format: input.format, removeRoots: input.remove_roots_from_chain };
      const data = await shownSigned(services, certificate, issuer.issuer, shown);
      services.metrics.count("pki_signed_total", "Certificates issued for signing requests");
      return leasedIf(role.generate_lease, data, certificate, now);
    },
  },
  examples: [{ operation: "write", request: { csr: "-----BEGIN CERTIFICATE REQUEST-----\n…", ttl: "24h" } }],
});

async function roleAndIssuer({ name, issuer_ref }: Values<typeof params>, { services }: Context<PkiServices>) {
  const role = await services.roles.require(name);
  const ref = issuer_ref === "" ? role.issuer_ref : issuer_ref;
  return { role, issuer: await issuerFor(services, ref, "issuing-certificates", issuer_ref === "" ? 400 : 404) };
}

/** A lease lives as long as the certificate, and revokes it at its end. */
export function leasedIf<Data extends { readonly serial_number: string }>(
  isLeased: boolean,
  data: Data,
  certificate: Certificate,
  now: Date,
): Data | Leased<Data> {
  if (!isLeased) return data;
  const seconds = Math.max(1, Math.floor((certificate.notAfter.getTime() - now.getTime()) / 1000));
  const secret = { serial_number: data.serial_number };
  return new Leased(data, { kind: "pki", seconds, maxSeconds: seconds, renewable: false, secret });
}

export const issuePaths = [issue, sign];
