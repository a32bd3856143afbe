/** What a configuration may say; checked in the order in which people are used to hear about it. */
import { X509Certificate } from "node:crypto";
import { invalidRequest } from "../../api/errors.ts";
import { isAlgorithmName } from "../../lib/jws/algorithm.ts";
import { JwsError } from "../../lib/jws/error.ts";
import { importPem } from "../../lib/jws/key.ts";
import type { Config, LoadedConfig } from "./config.ts";
import { isSelfDiscovering, requireSoundProvider } from "./providers/provider.ts";

export function requireOneSource(config: Config): void {
  const sources = [
    config.jwt_validation_pubkeys.length > 0,
    config.jwks_url !== "",
    config.oidc_discovery_url !== "",
    isSelfDiscovering(config.provider_config),
  ];
  if (sources.filter(Boolean).length !== 1) {
    throw invalidRequest(
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs', 'oidc_discovery_url', or 'provider_config' " +
        "must be set",
    );
  }
  if ((config.oidc_client_id === "") !== (config.oidc_client_secret === "")) {
    throw invalidRequest("both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC");
  }
  if (config.oidc_discovery_url.includes(".well-known")) {
    throw invalidRequest("'oidc_discovery_url' contains '.well-known' component");
  }
  requireUrl("oidc_discovery_url", config.oidc_discovery_url);
  requireUrl("jwks_url", config.jwks_url);
}

/** What can be told without asking anybody. Answers the parsed keys. */
export function requireSoundConfig(config: Config): LoadedConfig {
  if (config.oidc_client_id !== "" && config.oidc_discovery_url === "") {
    throw invalidRequest("'oidc_discovery_url' must be set for OIDC");
  }
  requireCertificates("jwks_ca_pem", config.jwks_ca_pem);
  requireCertificates("oidc_discovery_ca_pem", config.oidc_discovery_ca_pem);
  const keys = config.jwt_validation_pubkeys.map(parsedKey);
  const unknown = config.jwt_supported_algs.find((name) => !isAlgorithmName(name));
  if (unknown !== undefined) {
    throw invalidRequest(`invalid jwt_supported_algs: unsupported signing algorithm ${JSON.stringify(unknown)}`);
  }
  requireResponse(config);
  requireSoundProvider(config);
  return { ...config, keys };
}

function requireResponse({ oidc_response_mode, oidc_response_types }: Config): void {
  const types = oidc_response_types;
  if (types.length === 0 || types.some((type) => type !== "code" && type !== "id_token")) {
    throw invalidRequest(`invalid response_types [${types.join(" ")}]. 'code' and 'id_token' are allowed`);
  }
  if (types.includes("id_token") && oidc_response_mode === "query") {
    throw invalidRequest("query response_mode may not be used with an id_token response_type");
  }
}

function requireUrl(name: string, text: string): void {
  if (text === "") return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw invalidRequest(`'${name}' is not a URL that begins with https:// or http://`);
  }
}

function requireCertificates(name: string, pem: string): void {
  if (pem === "") return;
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
    if (blocks.length > 0) return;
  } catch {
    // Said below: the reason of the library underneath says no more.
  }
  throw invalidRequest(`error checking ${name}: expected one or more certificates in PEM`);
}

function parsedKey(pem: string) {
  try {
    return importPem(pem);
  } catch (error) {
    if (error instanceof JwsError) throw invalidRequest(`error parsing public key: ${error.message}`);
    throw error;
  }
}
