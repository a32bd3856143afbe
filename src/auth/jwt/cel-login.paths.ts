/** Declares the login whose rules are a program. */
import { invalidRequest } from "../../api/errors.ts";
import { pathsFor } from "../../api/path.ts";
import { Login, type LoginGrant } from "../../api/reply.ts";
import { EvaluationError, LimitError } from "../../lib/cel/errors.ts";
import { Message } from "../../lib/cel/message.ts";
import { kindOf, type PlainMap, Timestamp, type Value } from "../../lib/cel/values.ts";
import { GrantProblem, grantOf } from "./cel-grant.ts";
import type { CelRole } from "./cel-role.ts";
import type { Claims } from "./claims.ts";
import { loginFields, verified } from "./login.paths.ts";
import { requireConfig } from "./login.ts";
import type { JwtServices } from "./services.ts";
import { verifyToken } from "./token.ts";

const path = pathsFor<JwtServices>();

const login = path({
  pattern: "cel/login",
  summary: "Log in with a token, by the rules of a program",
  access: "public",
  write: {
    summary: "Log in",
    input: loginFields,
    async handler({ role: given, jwt }, { services, now }) {
      const config = await requireConfig(services);
      const name = given === "" ? config.default_role : given;
      if (name === "") throw invalidRequest("missing role");
      const role = await services.celRoles.findForLogin(name);
      if (!role) throw invalidRequest(`role ${JSON.stringify(name)} could not be found`);
      if (jwt === "") throw invalidRequest("missing token");
      const expected = {
        algorithms: config.jwt_supported_algs,
        issuer: config.bound_issuer,
        subject: "",
        audiences: role.bound_audiences,
        mayLackAudience: true,
        leeways: role,
      };
      const { keys } = services.validations.for(config);
      const claims = await verified(() => verifyToken(jwt, keys, expected, now.getTime()));
      return new Login(decided(role, claims, now, services));
    },
  },
  examples: [{ operation: "write", request: { role: "staff", jwt: "eyJhbGciOi…" } }],
});

/** What the program says. Its refusals are told in the role's own words, if it has any. */
function decided(role: CelRole, claims: Claims, now: Date, { host }: JwtServices): LoginGrant {
  try {
    return granted(role, run(role, claims, now));
  } catch (error) {
    if (error instanceof LimitError) throw refusal(`CEL auth program failed: ${error.message}`);
    if (!(error instanceof Refused)) throw error;
    host.log.debug("a program refused a login", { role: role.name, reason: error.message });
    throw role.message === "" ? refusal(error.message) : invalidRequest(role.message);
  }
}

const refusal = (reason: string) => invalidRequest(`error executing cel program: ${reason}`);

class Refused extends Error {
  override readonly name = "Refused";
}

function run(role: CelRole, claims: Claims, now: Date): Value {
  try {
    return role.program.evaluate({ claims: claims as PlainMap, now: Timestamp.fromDate(now), operation: "update" });
  } catch (error) {
    if (error instanceof EvaluationError) throw new Refused(`CEL auth program failed: ${error.message}`);
    throw error;
  }
}

function granted(role: CelRole, value: Value): LoginGrant {
  const name = `'${role.name}'`;
  if (value === false) throw new Refused(`CEL role ${name} blocked authorization with boolean false return`);
  if (typeof value === "string") throw new Refused(`CEL role ${name} blocked authorization with message: ${value}`);
  if (!(value instanceof Message) || value.type.name !== "pb.Auth") {
    const type = value instanceof Message ? value.type.name : kindOf(value);
    throw new Refused(`CEL program ${name} returned unexpected type: ${type}`);
  }
  try {
    return grantOf(value, role.name);
  } catch (error) {
    if (error instanceof GrantProblem) throw new Refused(`error converting proto auth: ${error.message}`);
    throw error;
  }
}

export const celLoginPaths = [login];
