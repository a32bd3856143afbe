/** Why a caller may or may not do something: the rule that decided, those that came close, and one that would do. */
import type { Acl } from "./acl.ts";
import { type AccessOperation, capabilityList } from "./capability.ts";
import { endOfSegment, matchesAfterHead, type PathPattern } from "./path-pattern.ts";

export interface Explanation {
  readonly allowed: boolean;
  readonly sudo: boolean;
  /** The path of the rule that decided, and the policies that it comes from. */
  readonly rule: string | null;
  readonly policies: readonly string[];
  readonly reason: string;
  readonly close: readonly CloseRule[];
  /** A rule that would allow it, in HCL; empty where it is allowed. */
  readonly needed: string;
}

export interface CloseRule {
  readonly path: string;
  readonly capabilities: readonly string[];
  readonly why: string;
}

const mostClose = 5;

export function explain(
  acl: Acl,
  operation: AccessOperation,
  path: string,
  needsSudo: boolean,
  now: Date,
): Explanation {
  const verdict = acl.allows({ operation, path, now });
  const allowed = verdict.allowed && (!needsSudo || verdict.sudo);
  const lacksSudo = verdict.allowed && !allowed;
  const capabilities = [operation, ...(needsSudo ? ["sudo"] : [])];
  return {
    allowed,
    sudo: verdict.sudo,
    rule: verdict.rule ?? null,
    policies: verdict.policies,
    reason: verdict.root
      ? "the root policy allows everything"
      : lacksSudo
        ? "the path needs sudo as well"
        : verdict.reason,
    close: acl.isRoot ? [] : closeRules(acl, operation, path, verdict.rule, now),
    needed: allowed ? "" : `path ${JSON.stringify(acl.way + path)} { capabilities = ${JSON.stringify(capabilities)} }`,
  };
}

function closeRules(acl: Acl, operation: AccessOperation, path: string, decided: string | undefined, now: Date) {
  const found: CloseRule[] = [];
  for (const { pattern, capabilities } of acl.permissions(now)) {
    const why = pattern.text === decided ? undefined : closeness(pattern, operation, acl.way + path);
    if (why !== undefined) found.push({ path: pattern.text, capabilities: capabilityList(capabilities), why });
  }
  return found.slice(0, mostClose);
}

function closeness(pattern: PathPattern, operation: AccessOperation, path: string): string | undefined {
  if (matches(pattern, path)) return "matches too, but a more specific rule decided";
  const isList = operation === "list" || operation === "scan";
  const other = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
  if (!isList && matches(pattern, other)) return "would match with the other form of the trailing slash";
  if (pattern.text.toLowerCase() === path.toLowerCase()) return "differs in upper and lower case only";
  if (matches(pattern, withData(path))) return "names the path with data/ in it, as mounts with versions have it";
  return undefined;
}

const matches = (pattern: PathPattern, path: string) =>
  path.startsWith(pattern.head) &&
  (pattern.isExact ? pattern.head === path : matchesAfterHead(pattern, path, endOfSegment(path, pattern.head.length)));

/** `secret/a` for `secret/data/a`: the mistake that most people make once. */
const withData = (path: string) => path.replace("/", "/data/");
