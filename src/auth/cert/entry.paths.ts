/** Declares what is trusted: certificates of authorities or of single clients, and who of theirs may log in. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { deprecated, duration, flag, list, text, type Values } from "../../api/fields.ts";
import {
  changedTokenFields,
  olderTokenFields,
  plainKeptTokenFields,
  shownOlderFields,
  shownTokenFields,
} from "../../api/kept-token-fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { foldedName, requireRoleName } from "../../api/role-name.ts";
import { tokenFields } from "../../api/token-fields.ts";
import { type Certificate, parseCertificates } from "./certificate.ts";
import { isForClients } from "./chain.ts";
import type { Entry } from "./entry.ts";
import type { CertServices } from "./services.ts";

const path = pathsFor<CertServices>();

const params = { name: text("Name of the entry; upper and lower case are one") };

const ownFields = {
  certificate: text("Certificate of an authority or of a single client, in PEM; several are trusted alike").default(""),
  display_name: text("Shown in the display name of tokens; the name of the entry if not given").default(""),
  allowed_names: deprecated(list("Patterns, one of which the common name, a DNS name or an address must fit")).default(
    [],
  ),
  allowed_common_names: list("Patterns, one of which the common name must fit").default([]),
  allowed_dns_sans: list("Patterns, one of which a DNS name must fit").default([]),
  allowed_email_sans: list("Patterns, one of which an email address must fit").default([]),
  allowed_uri_sans: list("Patterns, one of which a URI must fit").default([]),
  allowed_organizational_units: list("Patterns, one of which an organizational unit must fit").default([]),
  required_extensions: list("Extensions that must all be there, as oid:pattern").default([]),
  allowed_metadata_extensions: list("Object identifiers of extensions that become metadata of tokens").default([]),
};

const refused = { ocsp_enabled: flag("Not supported; revocation is known from crls").default(false) };
const lease = deprecated(duration("Another name of token_ttl")).default(0);

const entry = path({
  pattern: "certs/:name",
  summary: "Manage trusted certificates",
  params,
  read: {
    summary: "Read a trusted certificate",
    output: { ...ownFields, ...tokenFields, ...shownOlderFields },
    async handler({ name }, { services }) {
      const found = await services.entries.find(name);
      if (!found) throw absent();
      const { name: _, token, older, ...own } = found.entry;
      return { ...own, ...shownTokenFields({ token, older }) };
    },
  },
  write: {
    summary: "Trust a certificate, or change what is asked of its clients; what is not given stays",
    input: { ...ownFields, ...tokenFields, ...olderTokenFields, ...refused, lease },
    async handler({ name: given, ...input }, { services, given: isGiven, warn }) {
      const name = requireRoleName("a certificate entry", given);
      if (input.ocsp_enabled)
        throw invalidRequest("'ocsp_enabled' is not supported: write a CRL to crls/:name instead");
      const before = (await services.entries.find(name))?.entry;
      const after = changedEntry(before ?? newEntry(name), input, isGiven);
      requireSound(after);
      for (const warning of longLives(after, services.mount)) warn(warning);
      services.entries.put(after);
    },
  },
  delete: {
    summary: "Trust a certificate no longer; tokens live on until their next renewal",
    handler: async ({ name }, { services }) => services.entries.delete(foldedName(name)),
  },
  examples: [{ operation: "write", request: { certificate: "-----BEGIN CERTIFICATE-----…", token_policies: "web" } }],
});

const entries = path({
  pattern: "certs",
  summary: "Trusted certificates",
  list: {
    summary: "List trusted certificates",
    input: pageFields,
    output: keysField,
    handler: async (page, { services }) => ({ keys: await services.entries.list(pageOf(page)) }),
  },
});

const newEntry = (name: string): Entry => ({
  ...plainKeptTokenFields,
  name,
  certificate: "",
  display_name: name,
  allowed_names: [],
  allowed_common_names: [],
  allowed_dns_sans: [],
  allowed_email_sans: [],
  allowed_uri_sans: [],
  allowed_organizational_units: [],
  required_extensions: [],
  allowed_metadata_extensions: [],
});

type Input = Values<typeof ownFields & typeof tokenFields & typeof olderTokenFields & { lease: typeof lease }>;

function changedEntry(before: Entry, input: Input, given: (field: string) => boolean): Entry {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(ownFields) as (keyof typeof ownFields)[]) {
    if (given(name)) changes[name] = input[name];
  }
  if (changes["display_name"] === "") changes["display_name"] = before.name;
  const hasOldest = given("lease") && !given("ttl");
  const settings = changedTokenFields(
    before,
    hasOldest ? { ...input, ttl: input.lease } : input,
    hasOldest ? (field) => field === "ttl" || given(field) : given,
  );
  return { ...before, ...changes, ...settings };
}

function requireSound({ certificate, required_extensions, allowed_metadata_extensions }: Entry): void {
  const [first] = readCertificates(certificate);
  if (!first) throw invalidRequest("failed to parse certificate");
  if (!first.isAuthority && !isForClients(first)) {
    throw invalidRequest("nonCA certificates should have TLS client authentication set as an extended key usage");
  }
  const wrong = required_extensions.find((required) => !/^\d+(\.\d+)+:/.test(required));
  if (wrong !== undefined) {
    throw invalidRequest(
      `'required_extensions' are pairs such as 1.2.3.4:pattern, and ${JSON.stringify(wrong)} is none`,
    );
  }
  const odd = allowed_metadata_extensions.find((oid) => !/^\d+(\.\d+)+$/.test(oid));
  if (odd !== undefined) {
    throw invalidRequest(
      `'allowed_metadata_extensions' are object identifiers such as 1.2.3.4, and ${JSON.stringify(odd)} is none`,
    );
  }
}

function readCertificates(pem: string): Certificate[] {
  try {
    return parseCertificates(pem);
  } catch {
    return [];
  }
}

function longLives({ token }: Entry, mount: { defaultLeaseSeconds: number; maxLeaseSeconds: number }): string[] {
  const { token_ttl, token_max_ttl, token_period } = token;
  const { defaultLeaseSeconds, maxLeaseSeconds } = mount;
  const longer = (what: string, seconds: number, most: number) =>
    seconds > most
      ? [`Given ${what} of ${seconds} seconds is greater than current mount/system default of ${most} seconds`]
      : [];
  return [
    ...longer("ttl", token_ttl, defaultLeaseSeconds),
    ...longer("max_ttl", token_max_ttl, maxLeaseSeconds),
    ...longer("period", token_period, maxLeaseSeconds),
  ];
}

export const entryPaths = [entry, entries];
