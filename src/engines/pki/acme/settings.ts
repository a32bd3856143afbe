/** What an operator sets for ACME on a mount: the fields of `config/acme`, and what they must hold. */
import { isIP } from "node:net";
import { Single } from "../../../api/collection.ts";
import type { Storage } from "../../../api/engine.ts";
import { invalidRequest } from "../../../api/errors.ts";
import { duration, type Fields, flag, integer, list, text, type Values } from "../../../api/fields.ts";
import { parseCidr } from "../../../lib/cidr.ts";
import type { Authority } from "./authority.ts";

const bindingPolicies = ["not-required", "new-account-required", "always-required"] as const;
export type BindingPolicy = (typeof bindingPolicies)[number];

const ninetyDays = 90 * 86_400;

export const settingFields = {
  enabled: flag("Whether ACME answers; every directory is a 404 while it does not").default(false),
  allowed_issuers: list("Issuers that paths may name, by id or name; * for all").default(["*"]),
  allowed_roles: list("Roles that paths and the policy may name; * for all").default(["*"]),
  allow_role_ext_key_usage: flag("Sign the role's extended key usages in place of ServerAuth alone").default(false),
  default_directory_policy: text(
    "What holds where the path names no role: forbid, sign-verbatim, or role:<name>",
  ).default("sign-verbatim"),
  dns_resolver: text("Resolver for look-ups of challenges, as address:port; empty for the system's own").default(""),
  eab_policy: text(
    "Who needs an external account binding: not-required, new-account-required, or always-required",
  ).default("not-required"),
  max_ttl: duration("Longest lifetime of a certificate").default(ninetyDays),
  caa_identities: list("Names of this authority in CAA records; CAA is checked if there are any").default([]),
  validation_allowed_cidrs: list("Addresses that challenges may connect to; empty for all").default([]),
  validation_denied_cidrs: list("Addresses that challenges never connect to").default(["169.254.0.0/16", "fe80::/10"]),
  account_limit: integer("New accounts per client address and hour; 0 for no limit").default(1000),
  order_limit: integer("New orders per account and hour; 0 for no limit").default(1000),
  failed_validation_limit: integer("Failed validations per account, name and hour; 0 for no limit").default(100),
} satisfies Fields;

export type AcmeSettings = Values<typeof settingFields>;

export const usualSettings = Object.freeze(
  Object.fromEntries(Object.entries(settingFields).map(([name, field]) => [name, field.parse(undefined)])),
) as unknown as Readonly<AcmeSettings>;

const any = "*";
const rolePrefix = "role:";

export class Settings {
  readonly #record: Single<AcmeSettings>;

  constructor(storage: Storage) {
    this.#record = new Single(storage, "acme/config");
  }

  async get(): Promise<Readonly<AcmeSettings>> {
    const kept = await this.#record.get();
    return kept ? { ...usualSettings, ...kept } : usualSettings;
  }

  put(settings: AcmeSettings): void {
    this.#record.put(settings);
  }
}

export const allows = (allowed: readonly string[], name: string): boolean =>
  allowed.includes(any) || allowed.includes(name);

/** The role that holds where the path names none; undefined if there is none, or nothing is allowed. */
export const policyRole = ({ default_directory_policy: policy }: AcmeSettings): string | undefined =>
  policy.startsWith(rolePrefix) ? policy.slice(rolePrefix.length) : undefined;

/** Refuses settings that could not work. */
export async function requireSound(settings: AcmeSettings, authority: Authority): Promise<void> {
  requireWords(settings);
  if (settings.enabled && (await authority.clusterPath()) === "") {
    throw invalidRequest(
      "ACME feature requires local cluster 'path' field configuration to be set: write config/cluster first",
    );
  }
  await requireRoles(settings, authority);
  await requireIssuers(settings, authority);
}

function requireWords(settings: AcmeSettings): void {
  const { eab_policy, default_directory_policy: policy } = settings;
  if (!(bindingPolicies as readonly string[]).includes(eab_policy)) {
    throw invalidRequest(
      `invalid eab policy name provided, valid values are ${bindingPolicies.map((each) => `'${each}'`).join(", ")}`,
    );
  }
  if (policy !== "forbid" && policy !== "sign-verbatim" && (policyRole(settings) ?? "") === "") {
    throw invalidRequest(
      `invalid default_directory_policy: ${JSON.stringify(policy)} is none of forbid, sign-verbatim and role:<name>`,
    );
  }
  requireResolver(settings.dns_resolver);
  for (const range of [...settings.validation_allowed_cidrs, ...settings.validation_denied_cidrs]) requireRange(range);
  for (const name of ["max_ttl", "account_limit", "order_limit", "failed_validation_limit"] as const) {
    if (settings[name] < 0) throw invalidRequest(`${name} cannot be negative`);
  }
  if (settings.max_ttl === 0) throw invalidRequest("max_ttl cannot be 0");
}

function requireResolver(resolver: string): void {
  if (resolver === "" || isIP(resolver) !== 0) return;
  const [, address, port] = /^\[?([0-9A-Fa-f:.]+)\]?:(\d{1,5})$/.exec(resolver) ?? [];
  const isBracketed = resolver.startsWith("[");
  const family = isIP(address ?? "");
  if (family === (isBracketed ? 6 : 4) && Number(port) > 0 && Number(port) < 65_536) return;
  throw invalidRequest(
    `failed to parse DNS resolver address: ${JSON.stringify(resolver)} is not an address with a port such as 10.0.0.53:53`,
  );
}

function requireRange(range: string): void {
  try {
    parseCidr(range);
  } catch (error) {
    throw invalidRequest((error as Error).message);
  }
}

async function requireRoles(settings: AcmeSettings, authority: Authority): Promise<void> {
  const { allowed_roles } = settings;
  requireList("allowed_roles", allowed_roles, "role");
  const chosen = policyRole(settings);
  if (chosen !== undefined && !allows(allowed_roles, chosen)) {
    throw invalidRequest(
      `default directory policy role:${chosen} was not specified in allowed_roles: ${allowed_roles}`,
    );
  }
  const names = new Set([...allowed_roles.filter((name) => name !== any), ...(chosen === undefined ? [] : [chosen])]);
  for (const name of names) {
    const role = await authority.role(name);
    if (!role) throw invalidRequest(`allowed_role ${name} is not a valid acme role: role does not exist`);
    if (role.noStore) {
      throw invalidRequest(
        `allowed_role ${name} is not a valid acme role: a role with no_store cannot be used by ACME`,
      );
    }
  }
}

async function requireIssuers({ allowed_issuers }: AcmeSettings, authority: Authority): Promise<void> {
  requireList("allowed_issuers", allowed_issuers, "issuer");
  for (const ref of allowed_issuers) {
    if (ref !== any && !(await authority.issuer(ref))) {
      throw invalidRequest(`failed validating allowed_issuers: unable to find issuer: ${ref}`);
    }
  }
}

function requireList(field: string, entries: readonly string[], what: string): void {
  if (entries.length === 0) throw invalidRequest(`${field} must take a non-zero length value; use * to allow all`);
  if (entries.length > 1 && entries.includes(any)) {
    throw invalidRequest(`cannot use '*' as ${what} name at index ${entries.indexOf(any)} beside others in ${field}`);
  }
}
