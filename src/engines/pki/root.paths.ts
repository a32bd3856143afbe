/** Declares how roots are made and removed. */
import { type Fields, integer, list, text, type Values } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Answered } from "../../api/reply.ts";
import { subjectAltName } from "../../lib/x509/alternative-names.ts";
import { buildCertificate, parseCertificate } from "../../lib/x509/certificate.ts";
import { hasNames } from "../../lib/x509/general-name.ts";
import { keyIdOf } from "../../lib/x509/key.ts";
import { authorityKeyId, subjectKeyId } from "../../lib/x509/key-identifier.ts";
import { isEmptyName } from "../../lib/x509/name.ts";
import { randomSerial } from "../../lib/x509/serial-number.ts";
import { readNames } from "./asked-names.ts";
import {
  authorityConstraints,
  caFields,
  caSubject,
  caValidityFields,
  constraintExtensions,
  constraintFields,
  extendedUsageFields,
} from "./ca-fields.ts";
import { serialOf } from "./certificate.ts";
import { bundled, inForm, privateKeyFields, requireFormat, shownKey } from "./issued.ts";
import { requireSignatureBits } from "./key-type.ts";
import { afterNewIssuers } from "./new-issuer.ts";
import { keyForAuthority } from "./new-key.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";
import { signerFor, storeCertificate, urlExtensions } from "./signing.ts";
import { filledUrls, needsIssuerId } from "./urls.ts";
import { extendedUsageExtension, extendedUsageIds, keyUsageExtension, usagesNamed } from "./usage-extensions.ts";
import { validityOf, validityRules } from "./validity.ts";

const path = pathsFor<PkiServices>();

const rootFields = {
  ...caFields,
  ...caValidityFields,
  ...constraintFields,
  ...extendedUsageFields,
  key_usage: list("Key usages beside those of every authority; only DigitalSignature has an effect").default([]),
  issuer_name: text("Name for the issuer").default(""),
  max_path_length: integer("How many authorities may follow; -1 for any number").default(-1),
} satisfies Fields;

const rootOutput = {
  certificate: text("The root's certificate"),
  issuing_ca: text("The root's certificate"),
  serial_number: text("Serial number, as octets with colons between"),
  expiration: integer("When the certificate ends, in seconds since 1970"),
  issuer_id: text("Id of the issuer"),
  issuer_name: text("Name of the issuer"),
  key_id: text("Id of the key"),
  key_name: text("Name of the key"),
  ...privateKeyFields,
} satisfies Fields;

const params = { exported: text("internal, exported (the key is shown, this once), or existing") };

const generate = path({
  pattern: ["root/generate/:exported", "issuers/generate/root/:exported"],
  summary: "Make a root",
  params,
  write: {
    summary: "Make a self-signed root, and the issuer that goes with it",
    input: rootFields,
    output: rootOutput,
    handler: (input, context) => makeRoot(input, context),
  },
  examples: [{ operation: "write", request: { common_name: "Example Root", key_type: "ec", ttl: "87600h" } }],
});

const rotate = path({
  pattern: "root/rotate/:exported",
  summary: "Make another root",
  params,
  write: {
    summary: "Make another root beside the one there is, and call it next",
    input: rootFields,
    output: rootOutput,
    async handler(input, context) {
      const isFree = (await context.services.issuers.find("next")) === undefined;
      const issuer_name = input.issuer_name === "" && isFree ? "next" : input.issuer_name;
      return makeRoot({ ...input, issuer_name }, context);
    },
  },
  examples: [{ operation: "write", request: { common_name: "Example Root 2", ttl: "87600h" } }],
});

type RootInput = Values<typeof rootFields> & { readonly exported: string };

async function makeRoot(input: RootInput, { services, now, warn, given }: Context<PkiServices>) {
  requireFormat(input.format, input.private_key_format);
  requireSignatureBits(input.signature_bits);
  if (input.issuer_name !== "") await services.issuers.requireFreeName(input.issuer_name);
  const { names } = readNames({ ...input, user_ids: [] });
  const rules = validityRules({ ttl: 0, max_ttl: 0, not_before_duration: input.not_before_duration }, services.mount);
  const validity = validityOf(input, rules, now, warn);
  const { key, isExported } = await keyForAuthority(services, input, given);
  const subject = caSubject(input);
  const keyId = keyIdOf(key.publicKey);
  const signer = signerFor(key, { bits: input.signature_bits, pss: input.use_pss });
  if (input.max_path_length === 0) {
    warn(
      "Max path length of the generated certificate is zero. This certificate cannot be used to issue intermediate CA certificates.",
    );
  }
  if (isEmptyName(subject)) warn("the subject of this root is empty, which many clients do not accept");
  const urls = await rootUrls(services, warn);
  const der = refusing(() =>
    buildCertificate(
      {
        serial: randomSerial((count) => services.random.bytes(count)),
        issuer: subject,
        subject,
        ...validity,
        publicKey: key.publicKey.spki,
        extensions: [
          ...keyUsageExtension(rootUsages(input.key_usage)),
          authorityConstraints(input.max_path_length < 0 ? undefined : input.max_path_length),
          ...extendedUsageExtension(extendedUsageIds(input.ext_key_usage, input.ext_key_usage_oids)),
          ...constraintExtensions(input),
          ...(hasNames(names) ? [subjectAltName(names, isEmptyName(subject))] : []),
          subjectKeyId(keyId),
          authorityKeyId(keyId),
          ...urls,
        ],
      },
      signer,
    ),
  );
  const certificate = parseCertificate(der);
  const serial_number = serialOf(certificate);
  const { issuer } = await services.issuers.add(
    {
      certificate,
      keyId: key.id,
      name: input.issuer_name,
      isOwnRoot: true,
      revocationAlgorithm: signer.algorithm.name,
    },
    serial_number,
  );
  await storeCertificate(services, certificate, issuer.id, "");
  await afterNewIssuers(services, [issuer], now, warn);
  const shown = inForm(certificate.der, input.format);
  return {
    certificate: isExported && input.format === "pem_bundle" ? bundled(key.privateKey, shown) : shown,
    issuing_ca: shown,
    serial_number,
    expiration: Math.floor(certificate.notAfter.getTime() / 1000),
    issuer_id: issuer.id,
    issuer_name: issuer.name,
    key_id: key.id,
    key_name: key.name,
    ...(isExported && shownKey(key.privateKey, input.format, input.private_key_format)),
  } as Values<typeof rootOutput>;
}

const rootUsages = (names: readonly string[]) =>
  usagesNamed(["CertSign", "CRLSign", ...usagesNamed(names).filter((usage) => usage === "DigitalSignature")]);

async function rootUrls(services: PkiServices, warn: (message: string) => void) {
  const settings = await services.settings.urls.get();
  if (needsIssuerId(settings)) {
    warn(
      "the addresses of config/urls need the id of the issuer, which this root does not have yet: it carries none of them",
    );
    return [];
  }
  const urls = filledUrls(settings, await services.settings.cluster.get(), "");
  if (urls.issuing.length + urls.crl.length + urls.ocsp.length === 0) {
    warn(
      "This mount hasn't configured any authority information access (AIA) fields; this may make it harder for systems to find missing certificates in the chain or to validate revocation status of certificates. Consider updating /config/urls or the newly generated issuer with this information.",
    );
  }
  return urlExtensions(urls);
}

const removeAll = path({
  pattern: "root",
  summary: "All issuers and keys of this mount",
  delete: {
    summary: "Delete all issuers and all keys",
    sudo: true,
    async handler(_, { services, warn }) {
      for (const issuer of await services.issuers.all()) {
        await services.issuers.delete(issuer, serialOf(issuer.certificate));
        services.crls.delete(issuer.group);
      }
      for (const id of await services.keys.list()) {
        const key = await services.keys.byId(id);
        if (key) await services.keys.delete(key);
      }
      warn("all issuers and keys of this mount were deleted");
      return new Answered(200, undefined);
    },
  },
});

export const rootPaths = [generate, rotate, removeAll];
