/** What a provider says of itself at its well-known address (OpenID Connect Discovery). */
import type { JsonObject } from "../../lib/json.ts";
import { type Web, WebError } from "./web.ts";

export interface ProviderMetadata {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userinfoEndpoint: string;
  readonly deviceEndpoint: string;
  readonly tokenAuthMethods: readonly string[];
}

export async function discover(web: Web, issuer: string): Promise<ProviderMetadata> {
  const document = await web.json(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  // Byte for byte: otherwise one provider could speak for another (Discovery 1.0, 4.3).
  if (document["issuer"] !== issuer) throw new WebError("the provider names another issuer than oidc_discovery_url");
  return readMetadata(document);
}

export function readMetadata(document: JsonObject): ProviderMetadata {
  const text = (name: string) => (typeof document[name] === "string" ? document[name] : "");
  const methods = document["token_endpoint_auth_methods_supported"];
  return {
    issuer: text("issuer"),
    jwksUri: text("jwks_uri"),
    authorizationEndpoint: text("authorization_endpoint"),
    tokenEndpoint: text("token_endpoint"),
    userinfoEndpoint: text("userinfo_endpoint"),
    deviceEndpoint: text("device_authorization_endpoint"),
    tokenAuthMethods: Array.isArray(methods) ? methods.filter((method) => typeof method === "string") : [],
  };
}
