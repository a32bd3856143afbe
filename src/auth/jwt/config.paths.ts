/** Declares the configuration of the method. */
import { absent, invalidRequest } from "../../api/errors.ts";
import { choice, flag, items, list, object, text, type Values, writeOnly } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { foldedName } from "../../api/role-name.ts";
import { randomHex } from "../../lib/random-name.ts";
import type { Config, LoadedConfig } from "./config.ts";
import { requireOneSource, requireSoundConfig } from "./config-rules.ts";
import { discover } from "./discovery.ts";
import { KeySourceError } from "./key-source.ts";
import { shownProviderConfig } from "./providers/provider.ts";
import type { JwtServices } from "./services.ts";
import { Validation } from "./validation.ts";
import { WebError } from "./web.ts";

const path = pathsFor<JwtServices>();

const shared = {
  oidc_discovery_url: text("Issuer of an OIDC provider, without the well-known part").default(""),
  oidc_discovery_ca_pem: items("PEM of the authorities to trust at the provider; the system's own if empty").default(
    [],
  ),
  oidc_client_id: text("Client id at the provider, for OIDC roles").default(""),
  oidc_response_mode: choice(["", "query", "form_post"], "How the provider sends people back").default("query"),
  oidc_response_types: list("What the provider is asked for: code, id_token; the latter only with form_post").default([
    "code",
  ]),
  jwks_url: text("Where an issuer publishes its keys").default(""),
  jwks_ca_pem: text("PEM of the authorities to trust at jwks_url; the system's own if empty").default(""),
  jwt_validation_pubkeys: list("Public keys or certificates in PEM, to verify signatures with").default([]),
  bound_issuer: text("What the iss claim of tokens must be").default(""),
  jwt_supported_algs: list("Signature algorithms; by default RS256 for OIDC roles, and all for JWT roles").default([]),
  default_role: text("Role of logins that name none").default(""),
  provider_config: object("Settings of a provider with a way of its own").default({}),
  override_allowed_server_names: list("Host names that are good in TLS at the provider and at jwks_url").default([]),
  namespace_in_state: flag("Send the namespace inside of OIDC's state parameter").default(true),
};

const input = {
  ...shared,
  oidc_client_secret: writeOnly(text("Client secret at the provider")).default(""),
  skip_jwks_validation: flag("Only warn if the provider or the keys cannot be reached").default(false),
};

const output = {
  ...shared,
  status: choice(["valid", "invalid"], "Whether keys can be had now"),
};

const config = path({
  pattern: "config",
  summary: "How good tokens are known",
  read: {
    summary: "Read the configuration; the client secret is left out",
    output,
    async handler(_, { services, warn }) {
      const found = await services.configs.get();
      if (!found) throw absent();
      const problem = await keyProblem(services.validations.for(found));
      if (problem !== undefined) warn(`failed to construct JWK validator: ${problem}`);
      return { ...shown(found), status: problem === undefined ? "valid" : "invalid" } as const;
    },
  },
  write: {
    summary: "Replace the configuration; what is not given is unset",
    input,
    effects: true,
    async handler({ skip_jwks_validation, ...given }, { services, transaction, warn, given: isGiven }) {
      const written = configOf(given, randomHex(16, services.host.random));
      requireOneSource(written);
      const loaded = requireSoundConfig(written);
      const problem = await sourceProblem(loaded, new Validation(loaded, services.host));
      if (problem !== undefined) {
        services.host.log.warn("the source of keys cannot be used", {
          mount: services.host.mount.path,
          reason: problem.reason,
        });
        if (!skip_jwks_validation) throw invalidRequest(problem.message);
        warn(problem.message);
      }
      await transaction(async ({ configs }) => {
        const before = await configs.get();
        const kept = before && !isGiven("namespace_in_state") ? before.namespace_in_state : written.namespace_in_state;
        configs.put({ ...written, namespace_in_state: kept });
      });
    },
  },
  examples: [
    {
      operation: "write",
      request: { oidc_discovery_url: "https://login.example.com", bound_issuer: "https://login.example.com" },
    },
  ],
});

type Input = Omit<Values<typeof input>, "skip_jwks_validation">;

function configOf(given: Input, revision: string): Config {
  return {
    ...given,
    revision,
    oidc_discovery_ca_pem: given.oidc_discovery_ca_pem.join("\n").trim(),
    jwks_ca_pem: given.jwks_ca_pem.trim(),
    oidc_response_mode: given.oidc_response_mode === "form_post" ? "form_post" : "query",
    oidc_response_types: given.oidc_response_types.length === 0 ? ["code"] : given.oidc_response_types,
    default_role: foldedName(given.default_role),
  };
}

interface SourceProblem {
  /** What the caller hears. The reason is for the log: it may tell about the network inside. */
  readonly message: string;
  readonly reason: string;
}

async function sourceProblem(config: LoadedConfig, validation: Validation): Promise<SourceProblem | undefined> {
  const { oidc_discovery_url, jwks_url } = config;
  const what = oidc_discovery_url !== "" ? "oidc discovery URL" : jwks_url !== "" ? "jwks URL" : "provider_config";
  try {
    if (oidc_discovery_url !== "") await discover(validation.web, oidc_discovery_url);
  } catch (error) {
    if (error instanceof WebError) return { message: `error checking ${what}`, reason: error.message };
    throw error;
  }
  const reason = await keyProblem(validation);
  return reason === undefined ? undefined : { message: `error checking ${what}`, reason };
}

async function keyProblem(validation: Validation): Promise<string | undefined> {
  try {
    await validation.keys.check();
    return undefined;
  } catch (error) {
    if (error instanceof KeySourceError) return error.message;
    throw error;
  }
}

function shown({ oidc_client_secret: _, revision: __, keys: ___, ...config }: LoadedConfig) {
  return {
    ...config,
    oidc_discovery_ca_pem: config.oidc_discovery_ca_pem === "" ? [] : [config.oidc_discovery_ca_pem],
    provider_config: shownProviderConfig(config.provider_config),
  };
}

export const configPaths = [config];
