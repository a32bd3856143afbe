/** Declares the login with a token, and what is asked again when the token that it gave is renewed. */
import { invalidRequest } from "../../api/errors.ts";
import { text, writeOnly } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { Login } from "../../api/reply.ts";
import type { TokenFieldValues } from "../../api/token-fields.ts";
import { grantFor } from "./authorize.ts";
import { renewedCelToken } from "./cel-grant.ts";
import { requireConfig, requireOrigin, requireRole, roleName } from "./login.ts";
import type { Role } from "./role.ts";
import type { JwtServices } from "./services.ts";
import { type Expectations, TokenProblem, verifyToken } from "./token.ts";

const path = pathsFor<JwtServices>();

export const loginFields = {
  role: text("Role to log in as; the configured default if empty").default(""),
  jwt: writeOnly(text("Signed token, in compact form")).default(""),
};

const login = path({
  pattern: "login",
  summary: "Log in with a token",
  access: "public",
  write: {
    summary: "Log in",
    input: loginFields,
    async handler({ role: given, jwt }, { services, request, now }) {
      const config = await requireConfig(services);
      const role = await requireRole(services, roleName(given, config));
      if (role.role_type === "oidc") throw invalidRequest("role with oidc role_type is not allowed");
      if (jwt === "") throw invalidRequest("missing token");
      requireOrigin(role, request.remoteAddress);
      const validation = services.validations.for(config);
      const claims = await verified(() =>
        verifyToken(jwt, validation.keys, expectationsOf(role, config), now.getTime()),
      );
      if (claims["aud"] !== undefined && role.bound_audiences.length === 0) {
        throw invalidRequest("audience claim found in JWT but no audiences bound to the role");
      }
      return new Login(await grantFor(claims, { config, validation, role, host: services.host, accessToken: "" }));
    },
  },
  examples: [{ operation: "write", request: { role: "ci", jwt: "eyJhbGciOi…" } }],
});

const expectationsOf = (
  role: Role,
  { jwt_supported_algs, bound_issuer }: { jwt_supported_algs: readonly string[]; bound_issuer: string },
): Expectations => ({
  algorithms: jwt_supported_algs,
  issuer: bound_issuer,
  subject: role.bound_subject,
  audiences: role.bound_audiences,
  leeways: role,
});

/** Says what is wrong with a token in the words of the API. */
export async function verified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TokenProblem) throw invalidRequest(`error validating token: ${error.message}`);
    throw error;
  }
}

export async function renewLogin(
  internal: Readonly<Record<string, unknown>>,
  services: JwtServices,
): Promise<TokenFieldValues> {
  const name = String(internal["role"]);
  if (internal["role_type"] === "cel") {
    if (!(await services.celRoles.find(name))) throw invalidRequest(`CEL role ${name} does not exist during renewal`);
    return renewedCelToken(internal);
  }
  const role = await services.roles.find(name);
  if (!role) throw invalidRequest(`role ${name} does not exist during renewal`);
  return role.token;
}

export const loginPaths = [login];
