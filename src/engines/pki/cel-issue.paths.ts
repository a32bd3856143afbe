/** Declares how certificates are issued and signed as a program says. */

import type { KeyObject } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import { type Fields as ApiFields, duration, flag, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import type { CertificateRequest } from "../../lib/x509/certificate-request.ts";
import { publicKeyOf } from "../../lib/x509/key.ts";
import { decide } from "./cel-issue.ts";
import type { Fields } from "./cel-message.ts";
import { templateParts } from "./cel-template.ts";
import { readCsr } from "./csr.ts";
import { dryRunField, dryRunFields, shownDraft } from "./dry-run.ts";
import { leasedIf } from "./issue.paths.ts";
import { issuedFields, shownKey, shownSigned, signedFields } from "./issued.ts";
import type { Issuer } from "./issuer.ts";
import { keyKind, requireSignatureBits } from "./key-type.ts";
import type { PkiServices } from "./services.ts";
import { type Draft, issuerFor, rememberUnstored, signDraft, storeCertificate } from "./signing.ts";
import type { Validity } from "./validity.ts";

const path = pathsFor<PkiServices>();

const commonFields = {
  ttl: duration("Lifetime, if the program honors it").default(0),
  not_after: text("End of the certificate, if the program honors it").default(""),
  remove_roots_from_chain: flag("Leave self-signed certificates out of ca_chain").default(false),
  ...dryRunField,
} satisfies ApiFields;

const signFields = { ...commonFields, csr: text("Signing request, in PEM").default("") } satisfies ApiFields;
const params = { name: text("Name of the role") };

const issue = path({
  pattern: "cel/issue/:name",
  summary: "Make a key, and issue a certificate for it as a program says",
  params,
  write: {
    summary: "Make a key, and issue a certificate for it as a program says; the program sees every field of the body",
    input: commonFields,
    queryInput: ["dry_run"],
    output: { ...issuedFields, ...dryRunFields },
    openInput: true,
    async handler(input, context) {
      const output = await decide(input.name, context, undefined);
      const kind = keyKind(output.text("key_type") || "rsa", output.number("key_bits"));
      const privateKey = await context.services.keyPool.take(kind);
      return finish(input, context, output, { privateKey });
    },
  },
  examples: [{ operation: "write", request: { common_name: "www.example.com" } }],
});

const sign = path({
  pattern: "cel/sign/:name",
  summary: "Sign a request as a program says",
  params,
  write: {
    summary: "Sign a request as a program says; the program sees every field of the body, and the request",
    input: signFields,
    queryInput: ["dry_run"],
    output: { ...signedFields, ...dryRunFields },
    openInput: true,
    async handler(input, context) {
      const csr = readCsr(input.csr);
      return finish(input, context, await decide(input.name, context, csr), { csr });
    },
  },
  examples: [{ operation: "write", request: { csr: "-----BEGIN CERTIFICATE REQUEST-----\n…" } }],
});

type Input = Values<typeof commonFields> & { readonly name: string };

async function finish(
  input: Input,
  { services, now, warn }: Context<PkiServices>,
  output: Fields,
  { privateKey, csr }: { privateKey?: KeyObject; csr?: CertificateRequest },
) {
  if (input.ttl !== 0 && input.not_after !== "") {
    throw invalidRequest(
      "Either ttl or not_after should be provided. Both should not be provided in the same request.",
    );
  }
  requireSignatureBits(output.number("signature_bits"));
  const signer = await issuerFor(services, output.text("issuer_ref") || "default", "issuing-certificates");
  const template = output.message("template");
  const skid = output.bytes("subject_key_id");
  const draft: Draft = {
    ...dates(template, services, signer.issuer, now, warn),
    ...templateParts(template, signer.issuer.certificate),
    publicKey: privateKey ? publicKeyOf(privateKey) : csr!.publicKey,
    subjectKeyId: csr && skid.length > 0 ? skid : undefined,
  };
  for (const warning of output.texts("warnings")) if (warning !== "") warn(warning);
  if (input.dry_run) return shownDraft(draft, signer.issuer);
  const wishes = { bits: output.number("signature_bits"), pss: output.flag("use_pss") };
  const certificate = await signDraft(services, draft, signer, wishes);
  const isStored = !output.flag("no_store");
  if (isStored) await storeCertificate(services, certificate, signer.issuer.id, input.name);
  else await rememberUnstored(services, signer.issuer.id);
  services.metrics.count("pki_issued_by_program_total", "Certificates issued as a program said");
  const shown = { format: "pem", removeRoots: input.remove_roots_from_chain };
  const data = {
    ...(await shownSigned(services, certificate, signer.issuer, shown)),
    ...(privateKey && shownKey(privateKey, "pem", "der")),
  };
  return leasedIf(output.flag("generate_lease") && isStored, data, certificate, now) as never;
}

/** What the program leaves open is as for any other certificate; and none outlives its issuer unless that permits it. */
function dates(
  template: Fields,
  services: PkiServices,
  issuer: Issuer,
  now: Date,
  warn: (message: string) => void,
): Validity {
  const second = Math.floor(now.getTime() / 1000) * 1000;
  const notBefore = template.time("NotBefore") ?? new Date(second - 30_000);
  const notAfter = template.time("NotAfter") ?? new Date(second + services.mount.defaultLeaseSeconds * 1000);
  if (notBefore >= notAfter) throw invalidRequest("the program asks for a certificate that ends before it begins");
  const end = issuer.certificate.notAfter;
  if (notAfter <= end || issuer.leaf_not_after_behavior === "permit") return { notBefore, notAfter };
  if (notBefore >= end)
    throw invalidRequest(`the CA certificate ends at ${end.toISOString()}, before this certificate begins`);
  warn(`the program asked for an end at ${notAfter.toISOString()}, which was shortened to that of the issuer`);
  return { notBefore, notAfter: end };
}

export const celIssuePaths = [issue, sign];
