/** From what a provider answered to a login: verifies the ID token, adds what userinfo says, and asks the role. */
import type { LoginGrant } from "../../../api/reply.ts";
import { type Authorization, grantFor } from "../authorize.ts";
import { type Claims, plainClaims } from "../claims.ts";
import { TokenProblem } from "../token.ts";
import { WebError } from "../web.ts";
import { loginFailed, tokenRefused, told } from "./failure.ts";
import type { Flow } from "./flow.ts";
import { verifyIdToken } from "./id-token.ts";
import type { ProviderTokens } from "./token-endpoint.ts";

export interface Conclusion extends Omit<Authorization, "accessToken"> {
  readonly flow: Flow;
  /** Came beside the ID token; empty if nothing did. */
  readonly code: string;
}

/** Throws a `FlowFailure`. */
export async function concludeLogin(tokens: ProviderTokens, conclusion: Conclusion): Promise<LoginGrant> {
  const { role, host } = conclusion;
  if (tokens.idToken === "") throw tokenRefused("No id_token found in response.");
  const { nonce: _, ...verified } = await verifiedClaims(tokens, conclusion);
  if (role.bound_subject !== "" && verified["sub"] !== role.bound_subject) {
    throw loginFailed("sub claim does not match bound subject");
  }
  const claims = { ...verified, ...(await userinfo(tokens.accessToken, verified, conclusion)) };
  if (role.verbose_oidc_logging) {
    const unsigned = `${tokens.idToken.slice(0, tokens.idToken.lastIndexOf("."))}.[signature]`;
    host.log.debug("OIDC provider response", { id_token: unsigned, claims });
  }
  const grant = await told(() => grantFor(claims, { ...conclusion, accessToken: tokens.accessToken }));
  return { ...grant, metadata: { ...grant.metadata, ...oauth2Metadata(role.oauth2_metadata, tokens) } };
}

async function verifiedClaims(tokens: ProviderTokens, { config, validation, role, flow, host, code }: Conclusion) {
  const expected = {
    keys: validation.keys,
    algorithms: config.jwt_supported_algs,
    issuer: config.oidc_discovery_url,
    clientId: config.oidc_client_id,
    audiences: role.bound_audiences,
    nonce: flow.nonce === "" ? undefined : flow.nonce,
    maxAge: role.max_age,
    accessToken: tokens.accessToken,
    code,
  };
  try {
    return await verifyIdToken(tokens.idToken, expected, host.clock.now());
  } catch (error) {
    if (error instanceof TokenProblem) throw tokenRefused(error.message);
    throw error;
  }
}

/** What the provider adds. It may be out of reach or have nothing to say, and the login goes on. */
async function userinfo(accessToken: string, verified: Claims, { validation, host }: Conclusion): Promise<Claims> {
  const { userinfoEndpoint } = await validation.metadata();
  if (accessToken === "" || userinfoEndpoint === "") return {};
  try {
    const claims = plainClaims(await validation.web.json(userinfoEndpoint, { authorization: `Bearer ${accessToken}` }));
    // Otherwise one person's login could be completed with another's claims (Core, 5.3.2).
    if (claims["sub"] !== verified["sub"]) throw new WebError("userinfo is about another subject");
    if (claims["iss"] !== undefined && claims["iss"] !== verified["iss"])
      throw new WebError("userinfo names another issuer");
    return claims;
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    host.log.warn("userinfo of the OIDC provider is left out", { reason: error.message });
    return {};
  }
}

function oauth2Metadata(names: readonly string[], tokens: ProviderTokens): Record<string, string> {
  const values: Record<string, string> = {
    access_token: tokens.accessToken,
    id_token: tokens.idToken,
    refresh_token: tokens.refreshToken,
  };
  const chosen = names.filter((name) => (values[name] ?? "") !== "");
  return Object.fromEntries(chosen.map((name) => [`oauth2_${name}`, values[name]!]));
}
