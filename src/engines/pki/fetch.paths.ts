/** Declares what anybody may fetch: certificates of authorities, chains, and what was issued. */
import { absent } from "../../api/errors.ts";
import { type Fields, integer, items, text, type Values } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { RawReply } from "../../api/reply.ts";
import { pemText } from "../../lib/x509/pem.ts";
import { parseSerialText, serialText } from "../../lib/x509/serial-number.ts";
import { derOf, pemOf } from "./certificate.ts";
import { contentTypes, fetched, isUnchangedSince } from "./fetch-reply.ts";
import type { Issuer } from "./issuer.ts";
import type { PkiServices } from "./services.ts";
import { shownTime } from "./shown-time.ts";

const path = pathsFor<PkiServices>();

const asDer = (issuer: Issuer | undefined) =>
  issuer && { body: issuer.certificate.der, contentType: contentTypes.certificate, changedAt: issuer.changed_at };

const asPem = (issuer: Issuer | undefined, end = "") =>
  issuer && { body: issuer.pem + end, contentType: contentTypes.certificatePem, changedAt: issuer.changed_at };

const caDer = path({
  pattern: ["ca", "cert/ca/raw"],
  summary: "Certificate of the default issuer, in DER",
  access: "public",
  read: {
    summary: "Fetch the certificate of the default issuer, in DER",
    handler: async (_, { services, request }) => fetched(request, asDer(await services.issuers.find("default"))),
  },
});

const caPem = path({
  pattern: ["ca/pem", "cert/ca/raw/pem"],
  summary: "Certificate of the default issuer, in PEM",
  access: "public",
  read: {
    summary: "Fetch the certificate of the default issuer, in PEM",
    handler: async (_, { services, request }) => fetched(request, asPem(await services.issuers.find("default"))),
  },
});

const caChain = path({
  pattern: "ca_chain",
  summary: "Chain of the default issuer, in PEM",
  access: "public",
  read: {
    summary: "Fetch the chain of the default issuer, in PEM",
    async handler(_, { services, request }) {
      const issuer = await services.issuers.find("default");
      if (!issuer) return fetched(request, undefined);
      const chain = await services.issuers.chainOf(issuer);
      const changedAt = Math.max(...chain.map(({ changed_at }) => changed_at));
      // The peers' content type, though it is PEM: clients were written against it.
      return fetched(request, { body: chainText(chain), contentType: contentTypes.certificate, changedAt });
    },
  },
});

const chainText = (chain: readonly Issuer[]): string => chain.map(({ pem }) => pem).join("\n");

const certificateFields = {
  certificate: text("What was asked for, in PEM"),
  ca_chain: text("Chain of the default issuer, in PEM"),
  revocation_time: integer("When it was revoked, in seconds since 1970; 0 if it was not"),
  revocation_time_rfc3339: text("When it was revoked; empty if it was not"),
  issuer_id: text("Id of the issuer, once it is revoked"),
} satisfies Fields;

const notRevoked = { revocation_time: 0, revocation_time_rfc3339: "" };

const certificate = path({
  pattern: "cert/:serial",
  summary: "A certificate by its serial number; also ca, ca_chain, crl and delta-crl",
  params: { serial: text("Serial number, as octets with colons or hyphens between; or ca, ca_chain, crl, delta-crl") },
  access: "public",
  read: {
    summary: "Fetch a certificate",
    output: certificateFields,
    async handler({ serial }, { services, request }) {
      if (serial === "ca" || serial === "ca_chain") {
        const issuer = await services.issuers.require("default");
        if (isUnchangedSince(request, issuer.changed_at)) return new RawReply(undefined, undefined, { status: 304 });
        const chain = chainText(await services.issuers.chainOf(issuer));
        const shown = serial === "ca" ? { certificate: issuer.pem } : { certificate: chain, ca_chain: chain };
        return { ...shown, ...notRevoked } as Values<typeof certificateFields>;
      }
      if (serial === "crl" || serial === "delta-crl")
        return { ...(await crl(services, serial)), ...notRevoked } as Values<typeof certificateFields>;
      const found = await find(services, serial);
      if (!found) throw absent();
      const revocation = await services.revocations.get(found.serial);
      return {
        certificate: `${pemOf(found.stored)}\n`,
        ...(revocation ? { ...shownTime(revocation.at), issuer_id: revocation.issuer_id } : notRevoked),
      } as Values<typeof certificateFields>;
    },
  },
});

async function crl(services: PkiServices, which: "crl" | "delta-crl") {
  const { group } = await services.issuers.require("default");
  const der = which === "crl" ? await services.crls.complete(group) : await services.crls.delta(group);
  if (!der) throw absent();
  return { certificate: pemText("X509 CRL", der) };
}

async function find(services: PkiServices, text: string) {
  const number = parseSerialText(text);
  if (number === undefined) return undefined;
  const serial = serialText(number);
  const stored = await services.certificates.get(serial);
  return stored && { serial, stored };
}

const raw = path({
  pattern: ["cert/:serial/raw", "cert/:serial/raw/pem"],
  summary: "A certificate by its serial number, as a file",
  params: { serial: text("Serial number, as octets with colons or hyphens between") },
  access: "public",
  read: {
    summary: "Fetch a certificate as a file: DER, or PEM",
    async handler({ serial }, { services, request }) {
      const found = await find(services, serial);
      if (!found) return fetched(request, undefined);
      const changedAt = found.stored.not_before * 1000;
      return request.path.endsWith("/pem")
        ? fetched(request, { body: pemOf(found.stored), contentType: contentTypes.certificatePem, changedAt })
        : fetched(request, { body: derOf(found.stored), contentType: contentTypes.certificate, changedAt });
    },
  },
});

const params = { issuer_ref: text("Id or name of the issuer, or default") };

const issuerFile = path({
  pattern: ["issuer/:issuer_ref/der", "issuer/:issuer_ref/pem"],
  summary: "Certificate of an issuer, as a file",
  params,
  access: "public",
  read: {
    summary: "Fetch the certificate of an issuer: DER, or PEM",
    async handler({ issuer_ref }, { services, request }) {
      const issuer = await services.issuers.require(issuer_ref);
      return fetched(request, request.path.endsWith("/pem") ? asPem(issuer, "\n") : asDer(issuer));
    },
  },
});

const issuerJson = path({
  pattern: "issuer/:issuer_ref/json",
  summary: "Certificate and chain of an issuer",
  params,
  access: "public",
  read: {
    summary: "Fetch the certificate and the chain of an issuer",
    output: {
      issuer_id: text("Id of the issuer"),
      issuer_name: text("Name of the issuer"),
      certificate: text("Its certificate, in PEM"),
      ca_chain: items("Its certificate, and those above it"),
    },
    async handler({ issuer_ref }, { services, request }) {
      const issuer = await services.issuers.require(issuer_ref);
      if (isUnchangedSince(request, issuer.changed_at)) return new RawReply(undefined, undefined, { status: 304 });
      const chain = await services.issuers.chainOf(issuer);
      return {
        issuer_id: issuer.id,
        issuer_name: issuer.name,
        certificate: `${issuer.pem}\n`,
        ca_chain: chain.map(({ pem }) => `${pem}\n`),
      };
    },
  },
});

export const fetchPaths = [caDer, caPem, caChain, certificate, raw, issuerFile, issuerJson];
