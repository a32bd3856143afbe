/** Declares how intermediates begin (a key and a signing request) and end (the signed certificate comes back). */

import { invalidRequest } from "../../api/errors.ts";
import { type Fields, flag, list, sensitive, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { subjectAltName } from "../../lib/x509/alternative-names.ts";
import { basicConstraints } from "../../lib/x509/basic-constraints.ts";
import { buildRequest } from "../../lib/x509/certificate-request.ts";
import { hasNames } from "../../lib/x509/general-name.ts";
import { isEmptyName } from "../../lib/x509/name.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { readNames } from "./asked-names.ts";
import { caFields, caSubject, extendedUsageFields } from "./ca-fields.ts";
import { importBundle, importOutput } from "./import.ts";
import { bundled, privateKeyFields, requireFormat, shownKey } from "./issued.ts";
import { requireSignatureBits } from "./key-type.ts";
import { keyForAuthority } from "./new-key.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";
import { signerFor } from "./signing.ts";
import { extendedUsageExtension, extendedUsageIds, keyUsageExtension, usagesNamed } from "./usage-extensions.ts";

const path = pathsFor<PkiServices>();

const requestFields = {
  ...caFields,
  ...extendedUsageFields,
  key_usage: list("Key usages to ask for").default([]),
  add_basic_constraints: flag("Ask for basic constraints too, which some authorities need").default(false),
} satisfies Fields;

const requestOutput = {
  csr: text("Signing request; with format pem_bundle, behind the key if that is shown"),
  key_id: text("Id of the key"),
  ...privateKeyFields,
} satisfies Fields;

const generate = path({
  pattern: ["intermediate/generate/:exported", "issuers/generate/intermediate/:exported"],
  summary: "Begin an intermediate",
  params: { exported: text("internal, exported (the key is shown, this once), or existing") },
  write: {
    summary: "Make a key and a signing request for it",
    input: requestFields,
    output: requestOutput,
    handler: (input, context) => makeRequest(input, context),
  },
  examples: [{ operation: "write", request: { common_name: "Example Intermediate", key_type: "ec" } }],
});

const crossSign = path({
  pattern: "intermediate/cross-sign",
  summary: "Begin a cross-signed intermediate",
  write: {
    summary: "Make a signing request for a key that is there",
    input: requestFields,
    output: requestOutput,
    handler: (input, context) => makeRequest({ ...input, exported: "existing" }, context),
  },
  examples: [{ operation: "write", request: { common_name: "Example Intermediate", key_ref: "default" } }],
});

type RequestInput = Values<typeof requestFields> & { readonly exported: string };

async function makeRequest(input: RequestInput, { services, given }: Context<PkiServices>) {
  requireFormat(input.format, input.private_key_format);
  requireSignatureBits(input.signature_bits);
  const { names } = readNames({ ...input, user_ids: [] });
  const subject = caSubject(input);
  const { key, isExported } = await keyForAuthority(services, input, given);
  const der = refusing(() =>
    buildRequest(
      {
        subject,
        publicKey: key.publicKey.spki,
        extensions: [
          ...(hasNames(names) ? [subjectAltName(names, isEmptyName(subject))] : []),
          ...(input.add_basic_constraints ? [basicConstraints({ isAuthority: true })] : []),
          ...keyUsageExtension(usagesNamed(input.key_usage)),
          ...extendedUsageExtension(extendedUsageIds(input.ext_key_usage, input.ext_key_usage_oids)),
        ],
      },
      signerFor(key, { bits: input.signature_bits, pss: input.use_pss }),
    ),
  );
  const shown = input.format === "der" ? Buffer.from(der).toString("base64") : pemText("CERTIFICATE REQUEST", der);
  return {
    csr: isExported && input.format === "pem_bundle" ? bundled(key.privateKey, shown) : shown,
    key_id: key.id,
    ...(isExported && shownKey(key.privateKey, input.format, input.private_key_format)),
  } as Values<typeof requestOutput>;
}

const setSigned = path({
  pattern: "intermediate/set-signed",
  summary: "Finish an intermediate",
  write: {
    summary: "Bring in the signed certificate of an intermediate, perhaps with its chain",
    input: { certificate: text("Certificate, and perhaps those above it, in PEM").default("") },
    output: importOutput,
    async handler({ certificate }, { services, now, warn }) {
      if (certificate.trim() === "") throw invalidRequest('no certificate provided in the "certificate" parameter');
      return importBundle(services, certificate, { allowKeys: false, now, warn });
    },
  },
  examples: [{ operation: "write", request: { certificate: "-----BEGIN CERTIFICATE-----\n…" } }],
});

const importFields = {
  pem_bundle: sensitive(text("Certificates, and perhaps keys, in PEM")).default(""),
  certificate: text("Another name for pem_bundle").default(""),
} satisfies Fields;

const importBundlePath = path({
  pattern: ["config/ca", "issuers/import/bundle"],
  summary: "Bring in issuers and keys",
  write: {
    summary: "Bring in issuers and keys",
    input: importFields,
    output: importOutput,
    handler: ({ pem_bundle, certificate }, { services, now, warn }) =>
      importBundle(services, pem_bundle || certificate, { allowKeys: true, now, warn }),
  },
  examples: [{ operation: "write", request: { pem_bundle: "-----BEGIN CERTIFICATE-----\n…" } }],
});

const importCertificates = path({
  pattern: "issuers/import/cert",
  summary: "Bring in issuers without keys",
  write: {
    summary: "Bring in issuers; a bundle with keys is refused",
    input: importFields,
    output: importOutput,
    handler: ({ pem_bundle, certificate }, { services, now, warn }) =>
      importBundle(services, pem_bundle || certificate, { allowKeys: false, now, warn }),
  },
  examples: [{ operation: "write", request: { pem_bundle: "-----BEGIN CERTIFICATE-----\n…" } }],
});

export const intermediatePaths = [generate, crossSign, setSigned, importBundlePath, importCertificates];
