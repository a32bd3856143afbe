/** What logins of all kinds begin with: configuration, role, and where the caller is. */
import { invalidRequest, permissionDenied } from "../../api/errors.ts";
import { foldedName } from "../../api/role-name.ts";
import { containedInAny, parseCidr } from "../../lib/cidr.ts";
import type { LoadedConfig } from "./config.ts";
import type { Role } from "./role.ts";
import type { JwtServices } from "./services.ts";

export async function requireConfig({ configs }: JwtServices): Promise<LoadedConfig> {
  const config = await configs.get();
  if (!config) throw invalidRequest("could not load configuration");
  return config;
}

export function roleName(given: string, config: LoadedConfig): string {
  const name = given === "" ? config.default_role : given;
  if (name === "") throw invalidRequest("missing role");
  return foldedName(name);
}

export async function requireRole({ roles }: JwtServices, name: string): Promise<Role> {
  const role = await roles.find(name);
  if (!role) throw invalidRequest(`role ${JSON.stringify(name)} could not be found`);
  return role;
}

export function requireOrigin({ token }: Pick<Role, "token">, address: string): void {
  const ranges = token.token_bound_cidrs;
  if (ranges.length > 0 && !containedInAny(ranges.map(parseCidr), address)) throw permissionDenied();
}
