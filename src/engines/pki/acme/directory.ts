/** A directory: one ACME server among the many of a mount, with the role and the issuer that its path and the settings choose. */
import { text } from "../../../api/fields.ts";
import type { Authority } from "./authority.ts";
import { Problem } from "./problem.ts";
import { type AcmeSettings, allows, policyRole } from "./settings.ts";

/** Where directories are: the same everywhere below. */
const prefixes = [
  "acme",
  "issuer/:issuer_ref/acme",
  "roles/:role/acme",
  "issuer/:issuer_ref/roles/:role/acme",
] as const;

/** One pattern under each of the prefixes. */
export const under = <const Rest extends string>(rest: Rest): `${(typeof prefixes)[number]}/${Rest}`[] =>
  prefixes.map((prefix) => `${prefix}/${rest}` as const);

export const directoryParams = {
  issuer_ref: text("Issuer of the directory, by id or name").default(""),
  role: text("Role of the directory").default(""),
};

export interface DirectoryPlace {
  readonly issuer_ref: string;
  readonly role: string;
}

/** Relative to the mount: `roles/web/acme`. */
export function directoryPath({ issuer_ref, role }: DirectoryPlace): string {
  const issuer = issuer_ref === "" ? "" : `issuer/${issuer_ref}/`;
  return `${issuer}${role === "" ? "" : `roles/${role}/`}acme`;
}

export interface Directory {
  readonly path: string;
  readonly settings: Readonly<AcmeSettings>;
  /** Undefined: whatever was proven is signed. */
  readonly role: string | undefined;
  readonly issuer: string;
  /** False on a mount that has no default issuer yet: there is nobody to sign. */
  readonly hasIssuer: boolean;
  /** Where the mount is, for clients. */
  readonly clusterPath: string;
  url(rest: string): string;
}

export interface DirectoryParts {
  readonly settings: Readonly<AcmeSettings>;
  readonly authority: Authority;
}

/** Refuses with a problem whatever this directory cannot serve. */
export async function openDirectory(
  place: DirectoryPlace,
  { settings, authority }: DirectoryParts,
): Promise<Directory> {
  if (!settings.enabled) throw closed("ACME is disabled on this mount");
  const clusterPath = await authority.clusterPath();
  if (clusterPath === "") {
    throw new Problem("serverInternal", "the operator has not said where clients reach this mount (config/cluster)", {
      status: 400,
    });
  }
  const role = roleOf(place, settings);
  const found = role === undefined ? undefined : await requireRole(role, settings, authority);
  const issuer = place.issuer_ref || found?.issuerRef || "default";
  const hasIssuer = await requireIssuer(issuer, place, settings, authority);
  const path = directoryPath(place);
  return { path, settings, role, issuer, hasIssuer, clusterPath, url: (rest) => `${clusterPath}/${path}/${rest}` };
}

/** What the operator has closed looks as if it were not there. */
const closed = (message: string) => new Problem("unauthorized", message, { status: 404 });

const refused = (message: string) => new Problem("unauthorized", message, { status: 403 });

function roleOf({ role }: DirectoryPlace, settings: AcmeSettings): string | undefined {
  if (role !== "") return role;
  if (settings.default_directory_policy === "forbid") {
    throw closed("the policy of this mount forbids directories without a role in their path");
  }
  return policyRole(settings);
}

async function requireRole(name: string, settings: AcmeSettings, authority: Authority) {
  const role = await authority.role(name);
  if (!role) throw new Problem("malformed", `the role ${name} does not exist`);
  if (!allows(settings.allowed_roles, name))
    throw refused(`the role ${name} may not be used by ACME: see allowed_roles`);
  if (role.noStore) throw refused(`the role ${name} keeps no certificates (no_store), which ACME needs`);
  return role;
}

/** The list is about issuers that a path names: a role's own issuer, and the default, are the operator's choice already. */
async function requireIssuer(ref: string, place: DirectoryPlace, settings: AcmeSettings, authority: Authority) {
  const issuer = await authority.issuer(ref);
  if (!issuer && ref === "default") return false;
  if (!issuer) throw new Problem("malformed", `the issuer ${ref} does not exist`);
  if (place.issuer_ref !== "" && !(await isAllowedIssuer(issuer.id, ref, settings, authority))) {
    throw refused(`the issuer ${ref} may not be used by ACME: see allowed_issuers`);
  }
  if (!issuer.canIssue) throw refused(`the issuer ${ref} cannot sign certificates: it has no key, or not that usage`);
  return true;
}

async function isAllowedIssuer(id: string, ref: string, { allowed_issuers }: AcmeSettings, authority: Authority) {
  if (allows(allowed_issuers, ref) || allows(allowed_issuers, id)) return true;
  for (const allowed of allowed_issuers) if ((await authority.issuer(allowed))?.id === id) return true;
  return false;
}
