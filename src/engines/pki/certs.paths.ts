/** Declares what was issued: listed, and searched. */
import { type Fields, flag, integer, items, named, text, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { parseCertificate } from "../../lib/x509/certificate.ts";
import { nameText } from "../../lib/x509/name.ts";
import { derOf } from "./certificate.ts";
import { search, searchFields } from "./search.ts";
import type { PkiServices } from "./services.ts";

const path = pathsFor<PkiServices>();

/** Serial numbers are given out with colons, and taken with hyphens and capitals too. */
const pageOfSerials = (page: Values<typeof pageFields>) =>
  pageOf({ ...page, after: page.after.toLowerCase().replaceAll("-", ":") });

const certs = path({
  pattern: "certs",
  summary: "Certificates that are stored",
  list: {
    summary: "List serial numbers of certificates",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.certificates.list(pageOfSerials(page)) }),
  },
});

const revoked = path({
  pattern: "certs/revoked",
  summary: "Certificates that were revoked",
  list: {
    summary: "List serial numbers of certificates that were revoked",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.revocations.list(pageOfSerials(page)) }),
  },
});

const detailed = path({
  pattern: "certs/detailed",
  summary: "Certificates that are stored, with what is in them",
  list: {
    summary: "List certificates with what is in them",
    input: pageFields,
    output: {
      ...keysField,
      key_info: named("What is in each", {
        common_name: text("Common name"),
        issuer: text("Name of the issuer"),
        key_type: text("Type of the key"),
        key_bits: integer("Size of the key"),
        not_before: text("When it begins to be valid"),
        not_after: text("When it ends"),
        dns_names: items("Its first host names"),
      }),
    },
    async handler(page, { services }) {
      const keys = await services.certificates.list(pageOfSerials(page));
      const key_info: Record<string, object> = {};
      for (const serial of keys) {
        const stored = await services.certificates.get(serial);
        if (!stored) continue;
        const certificate = parseCertificate(derOf(stored));
        key_info[serial] = {
          common_name: stored.common_name,
          issuer: nameText(certificate.issuer),
          key_type: stored.key_type,
          key_bits: stored.key_bits,
          not_before: certificate.notBefore.toISOString(),
          not_after: certificate.notAfter.toISOString(),
          dns_names: certificate.extensions.names.dnsNames.slice(0, 5),
        };
      }
      return { keys, key_info: key_info as never };
    },
  },
});

const foundFields = {
  keys: items("Serial numbers, in the order of their ends"),
  key_info: named("What is known of each", {
    common_name: text("Common name"),
    names: items("Alternative names"),
    issuer_id: text("Id of the issuer"),
    role: text("Role that it was issued under"),
    not_before: integer("When it begins to be valid, in seconds since 1970"),
    expiration: integer("When it ends, in seconds since 1970"),
    revoked: flag("Whether it was revoked"),
  }),
  next: text("To be given as after for the next page; empty at the end"),
} satisfies Fields;

const searchPath = path({
  pattern: "certs/search",
  summary: "Search what was issued",
  read: {
    summary: "Search certificates by name, issuer, role, end, and whether they were revoked",
    input: { ...searchFields, ...pageFields },
    output: foundFields,
    handler: async (input, { services }) => (await search(services, input)) as Values<typeof foundFields>,
  },
  list: {
    summary: "Search certificates by name, issuer, role, end, and whether they were revoked",
    input: { ...searchFields, ...pageFields },
    output: foundFields,
    handler: async (input, { services }) => (await search(services, input)) as Values<typeof foundFields>,
  },
});

export const certsPaths = [certs, revoked, detailed, searchPath];
