/** Declares issuers: listed, read, changed, revoked and deleted. */
import { type Fields, flag, integer, items, list, named, partial, text, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { serialText } from "../../lib/x509/serial-number.ts";
import { serialOf } from "./certificate.ts";
import { rebuildCrls } from "./crl-build.ts";
import type { Issuer } from "./issuer.ts";
import { changedIssuer, revokeIssuer } from "./issuer-change.ts";
import type { PkiServices } from "./services.ts";
import { shownTime } from "./shown-time.ts";

const path = pathsFor<PkiServices>();

const changeFields = {
  issuer_name: text("Name of the issuer; empty for none").default(""),
  leaf_not_after_behavior: text("What happens to certificates that would outlive it: err, truncate or permit").default(
    "err",
  ),
  manual_chain: list(
    "Chain by ids or names, itself first; empty for the one that follows from the certificates",
  ).default([]),
  usage: list("What it may be used for: read-only, issuing-certificates, crl-signing, ocsp-signing").default([
    "read-only",
    "issuing-certificates",
    "crl-signing",
    "ocsp-signing",
  ]),
  revocation_signature_algorithm: text("How it signs CRLs and OCSP answers; empty for what fits its key").default(""),
  issuing_certificates: list("Where its certificate is found, in place of the mount's setting").default([]),
  crl_distribution_points: list("Where its CRL is found, in place of the mount's setting").default([]),
  delta_crl_distribution_points: list("Where its delta CRL is found, in place of the mount's setting").default([]),
  ocsp_servers: list("Where its OCSP responder answers, in place of the mount's setting").default([]),
  enable_aia_url_templating: flag("Whether templates in these addresses are filled in").default(false),
} satisfies Fields;

const issuerFields = {
  issuer_id: text("Id of the issuer"),
  issuer_name: text("Name of the issuer"),
  key_id: text("Id of its key; empty if it is not here"),
  certificate: text("Its certificate, in PEM"),
  manual_chain: items("Ids of the chain that was set by hand").nullable(),
  ca_chain: items("Its certificate, and those above it"),
  leaf_not_after_behavior: text("What happens to certificates that would outlive it"),
  usage: text("What it may be used for, with commas between"),
  revocation_signature_algorithm: text("How it signs CRLs and OCSP answers"),
  revoked: flag("Whether it was revoked"),
  revocation_time: integer("When it was revoked, in seconds since 1970"),
  revocation_time_rfc3339: text("When it was revoked"),
  issuing_certificates: items("Where its certificate is found"),
  crl_distribution_points: items("Where its CRL is found"),
  delta_crl_distribution_points: items("Where its delta CRL is found"),
  ocsp_servers: items("Where its OCSP responder answers"),
  enable_aia_url_templating: flag("Whether templates in these addresses are filled in"),
} satisfies Fields;

export type IssuerInput = Values<typeof changeFields>;

const params = { issuer_ref: text("Id or name of the issuer, or default") };

const issuers = path({
  pattern: "issuers",
  summary: "Issuers of this mount",
  access: "public",
  list: {
    summary: "List issuers",
    input: pageFields,
    output: {
      ...keysField,
      key_info: named("What is known of each", {
        issuer_name: text("Name of the issuer"),
        is_default: flag("Whether it is the default"),
        serial_number: text("Serial number of its certificate"),
        key_id: text("Id of its key"),
      }),
    },
    async handler(page, { services }) {
      const ids = await services.issuers.list(pageOf(page));
      const { default: defaultId } = await services.settings.issuers.get();
      const found = await Promise.all(ids.map((id) => services.issuers.byId(id)));
      const key_info = Object.fromEntries(
        found
          .filter((issuer) => issuer !== undefined)
          .map(({ id, name, certificate, key_id }) => [
            id,
            { issuer_name: name, is_default: id === defaultId, serial_number: serialText(certificate.serial), key_id },
          ]),
      );
      return { keys: ids, key_info };
    },
  },
});

const issuer = path({
  pattern: "issuer/:issuer_ref",
  summary: "One issuer",
  params,
  read: {
    summary: "Read an issuer",
    output: issuerFields,
    handler: async ({ issuer_ref }, { services, warn }) =>
      shown(services, await services.issuers.require(issuer_ref), warn),
  },
  write: {
    summary: "Set everything about an issuer; what is not given becomes the default",
    input: changeFields,
    output: issuerFields,
    handler: ({ issuer_ref, ...input }, context) => change(issuer_ref, input, context),
  },
  patch: {
    summary: "Change something about an issuer",
    input: partial(changeFields),
    output: issuerFields,
    handler: ({ issuer_ref, ...changes }, context) => change(issuer_ref, changes as Partial<IssuerInput>, context),
  },
  delete: {
    summary: "Delete an issuer; its key and what it issued stay",
    async handler({ issuer_ref }, { services, now, warn }) {
      const found = await services.issuers.find(issuer_ref);
      if (!found) return;
      if (await services.issuers.delete(found, serialOf(found.certificate))) {
        warn(`Deleted issuer ${found.id} was the default issuer. Please set a new default with /config/issuers.`);
      }
      await warnOfRoles(services, found, warn);
      await services.issuers.rebuildChains();
      const rest = await services.issuers.all();
      if (!rest.some(({ group }) => group === found.group)) services.crls.delete(found.group);
      await rebuildCrls(services, now, warn);
    },
  },
  examples: [
    { operation: "write", request: { issuer_name: "root-2030", leaf_not_after_behavior: "truncate" } },
    { operation: "patch", request: { issuer_name: "root-2030" } },
  ],
});

const revoke = path({
  pattern: "issuer/:issuer_ref/revoke",
  summary: "Revoke an issuer",
  params,
  write: {
    summary: "Revoke an issuer: it issues nothing more, and those above it list it as revoked",
    output: issuerFields,
    async handler({ issuer_ref }, { services, now, warn }) {
      const found = await services.issuers.require(issuer_ref);
      return shown(services, await revokeIssuer(services, found, now, warn), warn);
    },
  },
});

async function change(ref: string, changes: Partial<IssuerInput>, { services, warn }: Context<PkiServices>) {
  const before = await services.issuers.require(ref);
  const after = await services.issuers.save(before, await changedIssuer(services, before, changes));
  if (after.manual_chain.join() !== before.manual_chain.join()) await services.issuers.rebuildChains();
  return shown(services, (await services.issuers.byId(after.id)) ?? after, warn);
}

async function warnOfRoles(services: PkiServices, { id, name }: Issuer, warn: (message: string) => void) {
  const names = await services.roles.list({ limit: 100 });
  const found = await Promise.all(names.map((role) => services.roles.find(role)));
  const users = found.filter((role) => role && (role.issuer_ref === id || (name !== "" && role.issuer_ref === name)));
  if (users.length > 0) warn(`${users.length} roles reference ${name || id}`);
}

async function shown(services: PkiServices, found: Issuer, warn: (message: string) => void) {
  if (found.revocation_signature_algorithm.endsWith("PSS")) {
    warn("Issuer uses a PSS signature algorithm for CRLs and OCSP answers, which some clients do not know.");
  }
  const chain = await services.issuers.chainOf(found);
  const { urls } = found;
  return {
    issuer_id: found.id,
    issuer_name: found.name,
    key_id: found.key_id,
    certificate: `${found.pem}\n`,
    manual_chain: found.manual_chain.length > 0 ? found.manual_chain : null,
    ca_chain: chain.map(({ pem }) => `${pem}\n`),
    leaf_not_after_behavior: found.leaf_not_after_behavior,
    usage: [...found.usage].sort().join(","),
    revocation_signature_algorithm: found.revocation_signature_algorithm,
    revoked: found.revoked_at > 0,
    issuing_certificates: urls?.issuing_certificates ?? [],
    crl_distribution_points: urls?.crl_distribution_points ?? [],
    delta_crl_distribution_points: urls?.delta_crl_distribution_points ?? [],
    ocsp_servers: urls?.ocsp_servers ?? [],
    ...(urls && { enable_aia_url_templating: urls.enable_templating }),
    ...(found.revoked_at > 0 && shownTime(found.revoked_at)),
  } as Values<typeof issuerFields>;
}

export const issuerPaths = [issuers, issuer, revoke];
