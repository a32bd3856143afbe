/** What the users of a vector database may do, as the creation statements of a role say it. */
import { isJsonObject, type JsonObject, parseJson } from "../../../lib/json.ts";
import { refused } from "../failure.ts";

export interface Grants {
  readonly roles: readonly string[];
  readonly customRoles: readonly CustomRole[];
}

export interface CustomRole {
  readonly name: string;
  readonly permissions: readonly JsonObject[];
}

const shape = "creation_statements must be a JSON array of role names, or a JSON object with roles and custom_roles";

export function readGrants(statements: readonly string[]): Grants {
  const given = statements.filter((statement) => statement.trim() !== "");
  if (given.length === 0) throw refused("empty creation statements");
  const all = given.map(readStatement);
  const customRoles = all.flatMap((grants) => grants.customRoles);
  const names = [...all.flatMap((grants) => grants.roles), ...customRoles.map(({ name }) => name)];
  if (names.length === 0) throw refused("creation_statements names no role");
  return { roles: [...new Set(names)], customRoles };
}

function readStatement(statement: string): Grants {
  const value = parsed(statement);
  if (Array.isArray(value)) return { roles: roleNames(value), customRoles: [] };
  if (!isJsonObject(value)) throw refused(shape);
  const unknown = Object.keys(value).filter((key) => key !== "roles" && key !== "custom_roles");
  if (unknown.length > 0) throw refused(`${shape}; it knows no ${unknown.join(", ")}`);
  const { roles = [], custom_roles = [] } = value;
  if (!Array.isArray(custom_roles)) throw refused("custom_roles in creation_statements must be a list of objects");
  return { roles: roleNames(roles), customRoles: custom_roles.map(readCustomRole) };
}

function readCustomRole(role: unknown): CustomRole {
  if (!isJsonObject(role) || typeof role["name"] !== "string" || role["name"] === "") {
    throw refused("each of custom_roles needs a name and a list of permissions");
  }
  const { name, permissions } = role;
  const isList = Array.isArray(permissions) && permissions.every(isPermission);
  if (!isList)
    throw refused(`permissions of the custom role ${JSON.stringify(name)} must be a list of objects with an action`);
  return { name, permissions: permissions as JsonObject[] };
}

const isPermission = (value: unknown) => isJsonObject(value) && typeof value["action"] === "string";

function roleNames(roles: unknown): string[] {
  if (Array.isArray(roles) && roles.every((role) => typeof role === "string" && role !== "")) return roles as string[];
  throw refused("roles in creation_statements must be a list of names");
}

function parsed(statement: string): unknown {
  try {
    return parseJson(statement);
  } catch {
    throw refused(`${shape}; it is not JSON`);
  }
}
