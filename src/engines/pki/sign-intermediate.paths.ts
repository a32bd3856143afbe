/** Declares how intermediates and self-issued certificates are signed. */
import { invalidRequest } from "../../api/errors.ts";
import { type Fields, flag, integer, list, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { subjectAltName } from "../../lib/x509/alternative-names.ts";
import type { Certificate } from "../../lib/x509/certificate.ts";
import { buildCertificate, isAuthority, parseCertificate } from "../../lib/x509/certificate.ts";
import type { CertificateRequest } from "../../lib/x509/certificate-request.ts";
import { type Extension, extensionIds } from "../../lib/x509/extension.ts";
import { hasNames } from "../../lib/x509/general-name.ts";
import { isSelfIssued } from "../../lib/x509/issuing.ts";
import { authorityKeyId, parseKeyIdText } from "../../lib/x509/key-identifier.ts";
import { isEmptyName, subjectOf } from "../../lib/x509/name.ts";
import { parsePem } from "../../lib/x509/pem.ts";
import { X509Error } from "../../lib/x509/x509-error.ts";
import { readNames } from "./asked-names.ts";
import {
  authorityConstraints,
  caSubject,
  caSubjectFields,
  caValidityFields,
  constraintExtensions,
  constraintFields,
  extendedUsageFields,
  signatureFields,
} from "./ca-fields.ts";
import { keyIdFor } from "./crl-build.ts";
import { readCsr } from "./csr.ts";
import { formatFields, inForm, requireFormat, shownSigned, signedFields } from "./issued.ts";
import { requireSignatureBits } from "./key-type.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";
import {
  type Draft,
  issuerExtensionIds,
  issuerFor,
  signDraft,
  signerFor,
  storeCertificate,
  urlExtensions,
  urlsOf,
} from "./signing.ts";
import { extendedUsageExtension, extendedUsageIds, keyUsageExtension, usagesNamed } from "./usage-extensions.ts";
import { validityOf, validityRules } from "./validity.ts";

const path = pathsFor<PkiServices>();

const intermediateFields = {
  csr: text("Signing request of the intermediate, in PEM").default(""),
  ...caSubjectFields,
  ...caValidityFields,
  ...constraintFields,
  ...signatureFields,
  ...extendedUsageFields,
  ...formatFields,
  key_usage: list("Key usages beside those of every authority, if the request has none; empty for none").default([
    "KeyAgreement",
    "KeyEncipherment",
  ]),
  max_path_length: integer("How many authorities may follow; -1 for as many as the issuer allows").default(-1),
  use_csr_values: flag("Take subject, names, usages and extensions from the request").default(false),
  skid: text("Subject key identifier in hexadecimal, for cross-signing").default(""),
  issuer_ref: text("Issuer that signs").default(""),
} satisfies Fields;

const params = { issuer_ref: text("Issuer that signs: its id, its name, or default").default("default") };

const signIntermediate = path({
  pattern: ["root/sign-intermediate", "issuer/:issuer_ref/sign-intermediate"],
  summary: "Sign an intermediate",
  params,
  write: {
    summary: "Sign the request of an intermediate",
    input: intermediateFields,
    output: signedFields,
    handler: (input, context) => sign(input, context),
  },
  examples: [
    {
      operation: "write",
      request: { csr: "-----BEGIN CERTIFICATE REQUEST-----\n…", common_name: "Example Intermediate" },
    },
  ],
});

type Input = Values<typeof intermediateFields>;

async function sign(input: Input, { services, now, warn }: Context<PkiServices>) {
  requireFormat(input.format);
  requireSignatureBits(input.signature_bits);
  const signer = await issuerFor(services, input.issuer_ref || "default", "issuing-certificates", 404);
  const { certificate: parent } = signer.issuer;
  const csr = readCsr(input.csr);
  const rules = validityRules({ ttl: 0, max_ttl: 0, not_before_duration: input.not_before_duration }, services.mount);
  const validity = validityOf(input, rules, now, warn);
  if (validity.notAfter > parent.notAfter) {
    warn(`the certificate outlives its issuer, which ends at ${parent.notAfter.toISOString()}`);
  }
  const draft: Draft = {
    ...validity,
    ...namedPart(input, csr),
    publicKey: csr.publicKey,
    subjectKeyId: chosenKeyId(input.skid),
  };
  const constrained = {
    ...draft,
    extensions: [authorityConstraints(pathLength(input.max_path_length, parent, warn)), ...draft.extensions],
  };
  const wishes = { bits: input.signature_bits, pss: input.use_pss };
  const certificate = await signDraft(services, constrained, signer, wishes);
  await storeCertificate(services, certificate, signer.issuer.id, "");
  const shown = await shownSigned(services, certificate, signer.issuer, { format: input.format });
  services.metrics.count("pki_signed_intermediates_total", "Intermediates signed");
  return { ...shown, ca_chain: [inForm(certificate.der, input.format), ...shown.ca_chain] };
}

/** Subject, names and usages: from the request's fields, or all from the CSR. */
function namedPart(input: Input, csr: CertificateRequest): Pick<Draft, "subject" | "extensions"> {
  if (input.use_csr_values) {
    const kept = csr.extensions.all.filter(({ oid }) => !issuerExtensionIds.has(oid) && !replaced.has(oid));
    const usages = csr.extensions.keyUsages ?? usagesNamed(input.key_usage);
    const extended = csr.extensions.extendedKeyUsages
      ? []
      : extendedUsageExtension(extendedUsageIds(input.ext_key_usage, input.ext_key_usage_oids));
    return {
      subject: csr.subject.der,
      extensions: [...caUsages(usages), ...extended, ...constraintsBut(csr, input), ...kept],
    };
  }
  const common_name = input.common_name || subjectOf(csr.subject).commonName;
  if (common_name === "") {
    throw invalidRequest("the common_name field is required, or must be provided in a CSR");
  }
  const { names } = readNames({ ...input, common_name, user_ids: [] });
  const subject = caSubject({ ...input, common_name });
  return {
    subject,
    extensions: [
      ...caUsages(usagesNamed(input.key_usage)),
      ...extendedUsageExtension(extendedUsageIds(input.ext_key_usage, input.ext_key_usage_oids)),
      ...constraintExtensions(input),
      ...(hasNames(names) ? [refusing(() => subjectAltName(names, isEmptyName(subject)))] : []),
    ],
  };
}

/** Every authority signs certificates and CRLs, whatever its request forgot. */
const caUsages = (usages: readonly string[]): Extension[] =>
  keyUsageExtension(usagesNamed(["CertSign", "CRLSign", ...usages]));

const replaced: ReadonlySet<string> = new Set([extensionIds.basicConstraints, extensionIds.keyUsage]);

const constraintsBut = (csr: CertificateRequest, input: Input): Extension[] =>
  csr.extensions.byId.has(extensionIds.nameConstraints) ? [] : constraintExtensions(input);

function pathLength(asked: number, { extensions }: Certificate, warn: (message: string) => void): number | undefined {
  const limit = extensions.basicConstraints?.maxPathLength;
  if (limit === 0) {
    throw invalidRequest("signing certificate has a max path length of zero, and cannot issue further CA certificates");
  }
  if (asked === 0)
    warn(
      "Max path length of the signed certificate is zero. This certificate cannot be used to issue intermediate CA certificates.",
    );
  if (asked < 0) return limit === undefined ? undefined : limit - 1;
  if (limit !== undefined && asked >= limit) {
    throw invalidRequest(`max_path_length ${asked} is not below the issuer's own, which is ${limit}`);
  }
  return asked;
}

function chosenKeyId(text: string): Uint8Array | undefined {
  if (text === "") return undefined;
  const id = parseKeyIdText(text);
  if (!id) throw invalidRequest(`cannot parse requested SKID value as hex: ${JSON.stringify(text)}`);
  return id;
}

const selfIssuedFields = {
  certificate: text("Self-issued certificate of an authority, in PEM").default(""),
  require_matching_certificate_algorithms: flag("Refuse keys of another type than the issuer's").default(false),
} satisfies Fields;

const selfIssuedOutput = {
  certificate: text("The certificate, signed by this issuer"),
  issuing_ca: text("Certificate of the issuer"),
} satisfies Fields;

const rootSelfIssued = path({
  pattern: "root/sign-self-issued",
  summary: "Sign a self-issued certificate with the default issuer",
  write: {
    summary: "Sign a self-issued certificate as it is",
    sudo: true,
    input: selfIssuedFields,
    output: selfIssuedOutput,
    handler: (input, context) => signSelfIssued({ ...input, issuer_ref: "default" }, context),
  },
  examples: [{ operation: "write", request: { certificate: "-----BEGIN CERTIFICATE-----\n…" } }],
});

const issuerSelfIssued = path({
  pattern: "issuer/:issuer_ref/sign-self-issued",
  summary: "Sign a self-issued certificate",
  params: { issuer_ref: text("Issuer that signs: its id, its name, or default") },
  write: {
    summary: "Sign a self-issued certificate as it is",
    input: selfIssuedFields,
    output: selfIssuedOutput,
    handler: (input, context) => signSelfIssued(input, context),
  },
  examples: [{ operation: "write", request: { certificate: "-----BEGIN CERTIFICATE-----\n…" } }],
});

type SelfIssuedInput = Values<typeof selfIssuedFields> & { readonly issuer_ref: string };

async function signSelfIssued(input: SelfIssuedInput, { services }: Context<PkiServices>) {
  const { issuer, key } = await issuerFor(services, input.issuer_ref, "issuing-certificates", 404);
  const given = readSelfIssued(input.certificate);
  const { type } = key.publicKey.kind;
  if (input.require_matching_certificate_algorithms && given.publicKey.kind.type !== type) {
    throw invalidRequest(
      `public key algorithms of the submitted certificate (${given.publicKey.kind.type}) and of the issuer (${type}) do not match`,
    );
  }
  const urls = urlExtensions(await urlsOf(services, issuer));
  const replacedIds = new Set([extensionIds.authorityKeyId as string, ...urls.map(({ oid }) => oid)]);
  const der = refusing(() =>
    buildCertificate(
      {
        serial: given.serial,
        issuer: issuer.certificate.subject.der,
        subject: given.subject.der,
        notBefore: given.notBefore,
        notAfter: given.notAfter,
        publicKey: given.spki,
        extensions: [
          ...given.extensions.all.filter(({ oid }) => !replacedIds.has(oid)),
          authorityKeyId(keyIdFor(issuer)),
          ...urls,
        ],
      },
      signerFor(key, {}),
    ),
  );
  return { certificate: inForm(der, "pem"), issuing_ca: issuer.pem };
}

function readSelfIssued(text: string): Certificate {
  const certificate = parsedOrUndefined(text);
  if (!certificate) throw invalidRequest("certificate could not be PEM-decoded");
  if (!isAuthority(certificate)) throw invalidRequest("given certificate is not a CA certificate");
  if (!isSelfIssued(certificate)) throw invalidRequest("given certificate is not self-issued");
  refusing(() => certificate.publicKey);
  return certificate;
}

function parsedOrUndefined(text: string): Certificate | undefined {
  try {
    const [block] = parsePem(text);
    return block && parseCertificate(block.der);
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
}

export const signIntermediatePaths = [signIntermediate, rootSelfIssued, issuerSelfIssued];
