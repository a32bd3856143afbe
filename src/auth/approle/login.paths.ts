/** Declares how machines log in, and what is asked again when their tokens are renewed. */
import { ApiError, invalidRequest, permissionDenied } from "../../api/errors.ts";
import { text, writeOnly } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { Login } from "../../api/reply.ts";
import type { TokenFieldValues } from "../../api/token-fields.ts";
import { allows } from "./cidr-rules.ts";
import type { Role } from "./role.ts";
import { type FoundSecretId, isExpired, type SecretId } from "./secret-id.ts";
import type { ApproleServices } from "./services.ts";

const path = pathsFor<ApproleServices>();

const login = path({
  pattern: "login",
  summary: "Log in as a role",
  access: "public",
  write: {
    summary: "Log in",
    input: {
      role_id: text("Names the role").default(""),
      secret_id: writeOnly(text("Secret id of the role, unless the role needs none")).default(""),
    },
    // A failure is counted although the request fails.
    effects: true,
    async handler({ role_id, secret_id }, { request, now, transaction }) {
      const attempt = {
        roleId: role_id.trim(),
        secretId: secret_id.trim(),
        address: request.remoteAddress,
        now,
      };
      if (attempt.roleId === "") throw invalidRequest("missing role_id");
      const outcome = await transaction((services) => settle(services, attempt));
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    },
  },
  examples: [{ operation: "write", request: { role_id: "web-servers", secret_id: "only-once" } }],
});

interface Attempt {
  readonly roleId: string;
  readonly secretId: string;
  readonly address: string;
  readonly now: Date;
}

const invalidLogin = () => invalidRequest("invalid role or secret ID");

/** A refusal that is to be remembered is answered, not thrown: what is thrown commits nothing. */
async function settle(services: ApproleServices, attempt: Attempt): Promise<Login | ApiError> {
  const { roles, secretIds, lockouts } = services;
  const { roleId, secretId, address, now } = attempt;
  const role = await roles.withRoleId(roleId);
  if (!role) throw invalidLogin();
  if (await lockouts.isLocked(roleId, now)) throw permissionDenied();
  if (!role.bind_secret_id) {
    requireAddress(role, undefined, address);
    return loginOf(role, undefined);
  }
  if (secretId === "") throw invalidRequest("missing secret_id");
  const found = await secretIds.find(role, secretId);
  if (!found || isExpired(found.secret, now)) {
    if (found) secretIds.remove(role.folder, found);
    await lockouts.recordFailure(roleId, now);
    return invalidLogin();
  }
  requireAddress(role, found.secret, address);
  secretIds.spend(role, found, now);
  await lockouts.clear(roleId);
  return loginOf(role, found);
}

/** Checked before a use is spent. Who hears of it has shown the right credentials. */
function requireAddress(role: Role, secret: SecretId | undefined, address: string): void {
  const refuse = (where: string) =>
    invalidRequest(`source address ${JSON.stringify(address)} unauthorized by CIDR restrictions on the ${where}`);
  if (secret && !allows(secret.cidr_list, address)) throw refuse("secret ID");
  if (!allows(role.secret_id_bound_cidrs, address)) throw refuse("role");
  if (!allows(tokenCidrs(role, secret), address)) throw permissionDenied();
}

const tokenCidrs = ({ token }: Role, secret: SecretId | undefined): readonly string[] =>
  secret && secret.token_bound_cidrs.length > 0 ? secret.token_bound_cidrs : token.token_bound_cidrs;

function loginOf(role: Role, found: FoundSecretId | undefined): Login {
  const metadata = { ...found?.secret.metadata, role_name: role.name };
  return new Login({
    alias: { name: role.role_id, metadata },
    displayName: "",
    metadata,
    token: { ...role.token, token_bound_cidrs: [...tokenCidrs(role, found?.secret)] },
    internal: { role_name: role.name },
  });
}

export async function renewLogin(
  { role_name }: Readonly<Record<string, unknown>>,
  { roles }: ApproleServices,
): Promise<TokenFieldValues> {
  const role = await roles.find(String(role_name));
  if (!role) throw invalidRequest(`role ${JSON.stringify(role_name)} does not exist during renewal`);
  return role.token;
}

export const loginPaths = [login];
