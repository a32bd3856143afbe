/** All quotas of the store in one record, parsed once per change: a request without quotas pays for one cached read. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { AtHand } from "../../lib/at-hand.ts";
import { readAtHand } from "../storage/read-at-hand.ts";

export interface QuotaRule {
  readonly id: string;
  readonly name: string;
  /** Empty for all requests; `kv/` for a mount, `kv/data/a*` for what begins so, `kv/data/a` for one path. */
  readonly path: string;
  /** Counts only logins with this role at an auth method; empty for no such limit. */
  readonly role: string;
  /** Requests of one client in one interval. */
  readonly rate: number;
  /** Seconds. */
  readonly interval: number;
  /** Seconds for which a client that asked too often is refused altogether; 0 for until the interval is over. */
  readonly block_interval: number;
  readonly inheritable: boolean;
}

export interface QuotaSettings {
  /** Paths that no quota counts; one that ends in `*` stands for all that begin so. */
  readonly rate_limit_exempt_paths: readonly string[];
  readonly enable_rate_limit_audit_logging: boolean;
  readonly enable_rate_limit_response_headers: boolean;
}

export const standardSettings: QuotaSettings = {
  rate_limit_exempt_paths: [
    "sys/generate-root/attempt",
    "sys/generate-root/update",
    "sys/health",
    "sys/internal/ui/mounts",
    "sys/seal-status",
    "sys/unseal",
  ],
  enable_rate_limit_audit_logging: false,
  enable_rate_limit_response_headers: false,
};

interface StoredQuotas {
  readonly settings: QuotaSettings;
  readonly rules: readonly QuotaRule[];
}

export class QuotaTable {
  readonly settings: QuotaSettings;
  /** In the order of their names. */
  readonly rules: readonly QuotaRule[];

  constructor({ settings, rules }: StoredQuotas) {
    this.settings = settings;
    this.rules = rules;
  }

  named(name: string): QuotaRule | undefined {
    return this.rules.find((rule) => rule.name === name);
  }

  /**
   * The one quota that counts this request: the most exact. `role` is what a login names, if it is one; `way` leads from
   * the namespace of these quotas down to that of the request.
   */
  applyingTo(path: string, role: string | undefined, way = ""): QuotaRule | undefined {
    const isMeant = (rule: QuotaRule) => (way === "" ? applies(rule, path, role) : reaches(rule, way, path, role));
    return bestOf(this.rules, isMeant);
  }

  /** Whether any of them is about logins with a role, so that somebody has to find out. */
  get hasRoles(): boolean {
    return this.rules.some(({ role }) => role !== "");
  }

  isExempt(path: string): boolean {
    return this.settings.rate_limit_exempt_paths.some((exempt) => covers(exempt, path));
  }
}

/** Of quotas that are about paths alone. */
export const mostExact = <Rule extends { readonly path: string }>(
  rules: readonly Rule[],
  path: string,
): Rule | undefined => bestOf(rules, (rule) => applies({ path: rule.path, role: "" }, path, undefined));

function bestOf<Rule extends { readonly path: string; readonly role?: string }>(
  rules: readonly Rule[],
  isMeant: (rule: Rule) => boolean,
): Rule | undefined {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (isMeant(rule) && (best === undefined || exactness(rule) > exactness(best))) best = rule;
  }
  return best;
}

type Scope = Pick<QuotaRule, "path" | "role">;

function applies({ path: scope, role: wanted }: Scope, path: string, role: string | undefined): boolean {
  if (wanted !== "" && (role !== wanted || !path.startsWith(`${scope}login`))) return false;
  return scope === "" || scope.endsWith("/") ? path.startsWith(scope) : covers(scope, path);
}

/** A rule that names the namespace, or something in it, is about that; another one only if it is for all below it. */
function reaches(rule: QuotaRule, way: string, path: string, role: string | undefined): boolean {
  if (rule.path.startsWith(way)) return applies({ ...rule, path: rule.path.slice(way.length) }, path, role);
  const isAround = rule.path === "" || (rule.path.endsWith("/") && way.startsWith(rule.path));
  return isAround && rule.inheritable && rule.role === "";
}

function covers(pattern: string, path: string): boolean {
  if (pattern.endsWith("*")) return path.startsWith(pattern.slice(0, -1));
  // The path of a list ends in a slash that those who write patterns do not see.
  return path === pattern || (path.length === pattern.length + 1 && path === `${pattern}/`);
}

/** A role is more exact than any path, a whole path than its beginnings, and a long beginning than a short one. */
function exactness({ path, role = "" }: { readonly path: string; readonly role?: string }): number {
  const isWhole = path !== "" && !path.endsWith("/") && !path.endsWith("*");
  return (role === "" ? 0 : 1e9) + (isWhole ? 1e6 : 0) + path.length;
}

const key = "core/quotas";
/** What holds where nobody ever wrote any. */
export const noQuotas = new QuotaTable({ settings: standardSettings, rules: [] });
const parse = (bytes: Uint8Array) => new QuotaTable(parseRecord(bytes) as StoredQuotas);

/** Undefined where nobody ever wrote any; asked for with each request, so it goes no further way than it must. */
export const storedQuotas = (storage: Storage): AtHand<QuotaTable | undefined> => readAtHand(storage, key, parse);

export async function readQuotas(storage: Storage): Promise<QuotaTable> {
  return (await storedQuotas(storage)) ?? noQuotas;
}

export function writeQuotas({ settings, rules }: StoredQuotas, storage: Storage): void {
  const sorted = [...rules].sort((a, b) => (a.name < b.name ? -1 : 1));
  storage.put(key, recordBytes({ settings, rules: sorted }));
}
