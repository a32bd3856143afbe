/** Declares what an operator sets for the whole mount. */
import { invalidRequest } from "../../api/errors.ts";
import { type Fields, flag, list, partial, text } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { type CrlSettings, checkedCrlSettings, type UrlSettings } from "./config.ts";
import { applyCrlSettings } from "./crl-build.ts";
import type { PkiServices } from "./services.ts";
import { filledUrls, isAbsoluteUrl, requireUrls } from "./urls.ts";

const path = pathsFor<PkiServices>();

const urlFields = {
  issuing_certificates: list("Where the issuer's certificate is found"),
  crl_distribution_points: list("Where the issuer's CRL is found"),
  delta_crl_distribution_points: list("Where the issuer's delta CRL is found"),
  ocsp_servers: list("Where the issuer's OCSP responder answers"),
} satisfies Fields;

const templatedUrlFields = {
  ...urlFields,
  enable_templating: flag("Whether {{issuer_id}}, {{cluster_path}} and {{cluster_aia_path}} are filled in"),
} satisfies Fields;

const urls = path({
  pattern: "config/urls",
  summary: "Addresses that certificates of this mount carry",
  read: {
    summary: "Read the addresses",
    output: templatedUrlFields,
    handler: (_, { services }) => services.settings.urls.get(),
  },
  write: {
    summary: "Set addresses; what is not given stays",
    input: partial(templatedUrlFields),
    output: templatedUrlFields,
    async handler(changes, { services, warn }) {
      const after: UrlSettings = { ...(await services.settings.urls.get()), ...(changes as Partial<UrlSettings>) };
      if (after.enable_templating) await tryTemplates(services, after, warn);
      else requireUrls(after);
      services.settings.urls.put(after);
      return after;
    },
  },
  examples: [{ operation: "write", request: { issuing_certificates: "https://ca.example.com/v1/pki/ca" } }],
});

async function tryTemplates(services: PkiServices, settings: UrlSettings, warn: (message: string) => void) {
  try {
    filledUrls(settings, await services.settings.cluster.get(), "00000000-0000-0000-0000-000000000000");
  } catch (error) {
    warn(`issuance may fail: ${(error as Error).message}`);
  }
}

const clusterFields = {
  path: text("Address of this mount, as clients reach it: https://host/v1/pki; ACME needs it"),
  aia_path: text("Address of this mount for fetching certificates and CRLs, perhaps without TLS"),
} satisfies Fields;

const cluster = path({
  pattern: "config/cluster",
  summary: "Where clients reach this mount",
  read: {
    summary: "Read the addresses of this mount",
    output: clusterFields,
    handler: (_, { services }) => services.settings.cluster.get(),
  },
  write: {
    summary: "Set the addresses of this mount; what is not given stays",
    input: partial(clusterFields),
    output: clusterFields,
    async handler(changes, { services }) {
      for (const name of ["path", "aia_path"] as const) {
        const url = changes[name];
        if (url !== undefined && !isAbsoluteUrl(url)) {
          throw invalidRequest(`invalid, non-URL ${name} given to cluster: ${url}`);
        }
      }
      const before = await services.settings.cluster.get();
      const after = { path: changes.path ?? before.path, aia_path: changes.aia_path ?? before.aia_path };
      services.settings.cluster.put(after);
      return after;
    },
  },
  examples: [{ operation: "write", request: { path: "https://vault.example.com/v1/pki" } }],
});

const crlFields = {
  expiry: text("How long a CRL is valid"),
  disable: flag("Whether CRLs are left empty"),
  ocsp_disable: flag("Whether OCSP requests are refused"),
  ocsp_expiry: text("How long an OCSP answer is valid; 0 for one without an end"),
  auto_rebuild: flag("Build CRLs in time before they end, instead of at each revocation"),
  auto_rebuild_grace_period: text("How long before its end a CRL is built anew"),
  enable_delta: flag("Build delta CRLs between complete ones"),
  delta_rebuild_interval: text("How often delta CRLs are built"),
  allow_expired_cert_revocation: flag("Whether certificates that have expired can be revoked"),
} satisfies Fields;

const crl = path({
  pattern: "config/crl",
  summary: "How CRLs are built",
  read: {
    summary: "Read how CRLs are built",
    output: crlFields,
    handler: (_, { services }) => services.settings.crl.get(),
  },
  write: {
    summary: "Set how CRLs are built; what is not given stays",
    input: partial(crlFields),
    output: crlFields,
    async handler(changes, { services, now, warn }) {
      const before = await services.settings.crl.get();
      const after = checkedCrlSettings({ ...before, ...(changes as Partial<CrlSettings>) });
      services.settings.crl.put(after);
      await applyCrlSettings(services, before, after, now, warn);
      return after;
    },
  },
  examples: [{ operation: "write", request: { expiry: "48h", auto_rebuild: true } }],
});

const issuerFields = {
  default: text("Id of the default issuer"),
  default_follows_latest_issuer: flag("Whether a new issuer becomes the default"),
} satisfies Fields;

const issuers = path({
  pattern: "config/issuers",
  summary: "The default issuer",
  read: {
    summary: "Read the default issuer",
    output: issuerFields,
    handler: (_, { services }) => services.settings.issuers.get(),
  },
  write: {
    summary: "Set the default issuer",
    input: {
      default: text("Issuer that becomes the default, by id or name").default(""),
      default_follows_latest_issuer: flag("Whether a new issuer becomes the default").default(false),
    },
    output: issuerFields,
    handler: (input, context) => setDefaultIssuer(input.default, input.default_follows_latest_issuer, context),
  },
  examples: [{ operation: "write", request: { default: "root-2030" } }],
});

const replaceRoot = path({
  pattern: "root/replace",
  summary: "Make another issuer the default",
  write: {
    summary: "Make another issuer the default",
    input: { default: text("Issuer that becomes the default, by id or name").default("next") },
    output: issuerFields,
    handler: (input, context) => setDefaultIssuer(input.default, false, context),
  },
  examples: [{ operation: "write", request: { default: "next" } }],
});

async function setDefaultIssuer(ref: string, follows: boolean, { services, given, warn }: Context<PkiServices>) {
  if (ref === "" || ref === "default") {
    throw invalidRequest("Invalid issuer specification; must be non-empty and can't be 'default'.");
  }
  const issuer = await services.issuers.find(ref);
  if (!issuer) {
    throw invalidRequest(`Error resolving issuer reference: unable to find PKI issuer for reference: ${ref}`);
  }
  if (issuer.key_id === "") {
    warn(
      "This selected default issuer has no key associated with it. Some operations like issuing certificates and signing CRLs will be unavailable with the requested default issuer until a key is imported or the default issuer is changed.",
    );
  }
  const before = await services.settings.issuers.get();
  const after = {
    default: issuer.id,
    default_follows_latest_issuer: given("default_follows_latest_issuer")
      ? follows
      : before.default_follows_latest_issuer,
  };
  await services.issuers.setDefault(after);
  return after;
}

const keys = path({
  pattern: "config/keys",
  summary: "The default key",
  read: {
    summary: "Read the default key",
    output: { default: text("Id of the default key") },
    handler: (_, { services }) => services.settings.keys.get(),
  },
  write: {
    summary: "Set the default key",
    input: { default: text("Key that becomes the default, by id or name").default("") },
    output: { default: text("Id of the default key") },
    async handler(input, { services }) {
      if (input.default === "" || input.default === "default") {
        throw invalidRequest("Invalid key specification; must be non-empty and can't be 'default'.");
      }
      const key = await services.keys.find(input.default);
      if (!key) {
        throw invalidRequest(
          `Error resolving issuer reference: unable to find PKI key for reference: ${input.default}`,
        );
      }
      services.settings.keys.put({ default: key.id });
      return { default: key.id };
    },
  },
  examples: [{ operation: "write", request: { default: "root-key" } }],
});

export const configPaths = [urls, cluster, crl, issuers, replaceRoot, keys];
