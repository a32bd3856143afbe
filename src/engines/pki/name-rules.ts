/** Which names a role lets certificates have. */
import { globMatches } from "../../lib/glob.ts";
import { isHostName, wildcardOf } from "./host-name.ts";
import type { Role } from "./role-fields.ts";

/** The role with identity templates filled in for one caller. */
export interface NameRules {
  readonly role: Readonly<Role>;
  readonly domains: readonly string[];
  readonly uris: readonly string[];
}

interface Asked {
  readonly name: string;
  /** The name, or the host of a mailbox. */
  readonly host: string;
  readonly isMailbox: boolean;
  /** What follows the star, for a wildcard. */
  readonly below: string | undefined;
}

/** A host name or a mailbox. */
export function allowsName(rules: NameRules, name: string): boolean {
  const asked = readName(name);
  if (!asked) return false;
  const { role } = rules;
  if (asked.below !== undefined && !role.allow_wildcard_certificates) return false;
  if (role.enforce_hostnames && !isWellFormed(asked)) return false;
  if (role.allow_any_name) return true;
  if (role.allow_localhost && isLocal(asked, role.allow_subdomains)) return true;
  return rules.domains.some((domain) => domain !== "" && matchesDomain(asked, domain, role));
}

function readName(name: string): Asked | undefined {
  const parts = name.split("@");
  if (parts.length > 2) return undefined;
  const isMailbox = parts.length === 2;
  if (isMailbox && parts[0] === "") return undefined;
  const host = parts.at(-1)!;
  if (!host.includes("*")) return { name, host, isMailbox, below: undefined };
  const wildcard = isMailbox ? undefined : wildcardOf(host);
  return wildcard && { name, host, isMailbox, below: wildcard.rest };
}

function isWellFormed({ host, below }: Asked): boolean {
  if (below === undefined) return isHostName(host);
  const label = host.slice(0, host.indexOf("."));
  return isHostName(below) && (label === "*" || isHostName(label.replace("*", "x")));
}

function isLocal({ host, below }: Asked, withSubdomains: boolean): boolean {
  if (host === "localhost" || host === "localdomain") return true;
  if (!withSubdomains) return false;
  return ["localhost", "localdomain"].some((local) => host.endsWith(`.${local}`) || below === local);
}

function matchesDomain(asked: Asked, domain: string, role: Readonly<Role>): boolean {
  const { name, host, isMailbox, below } = asked;
  const lower = domain.toLowerCase();
  if (role.allow_bare_domains && (name.toLowerCase() === lower || (isMailbox && host.toLowerCase() === lower))) {
    return true;
  }
  if (role.allow_subdomains && (host.endsWith(`.${domain}`) || below === domain)) return true;
  return role.allow_glob_domains && domain.includes("*") && globMatches(domain, name);
}

/** A common name is a mailbox or a host name, or anything at all where the role does not look. */
export function allowsCommonName(rules: NameRules, name: string): boolean {
  const { cn_validations: kinds } = rules.role;
  if (kinds.length === 1 && kinds[0] === "disabled") return true;
  if (!kinds.includes(name.includes("@") ? "email" : "hostname")) return false;
  return allowsName(rules, name);
}

export const allowsSerialNumber = ({ allowed_serial_numbers }: Readonly<Role>, serial: string): boolean =>
  allowed_serial_numbers.some((allowed) => globMatches(allowed, serial));

export const allowsUserId = ({ allowed_user_ids }: Readonly<Role>, userId: string): boolean =>
  allowed_user_ids.some((allowed) => globMatches(allowed.toLowerCase(), userId.toLowerCase()));

export const allowsUri = ({ uris }: NameRules, uri: string): boolean =>
  uris.some((allowed) => globMatches(allowed, uri));
