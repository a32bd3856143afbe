/** Policies that an entity or a group brings. */
import { invalidRequest } from "../api/errors.ts";

const root = "root";

/** Policies are known in lower case, so `Root` is `root` too: it must not come in by another spelling. */
export function checkedPolicies(names: readonly string[]): string[] {
  const normalized = new Set(names.map((name) => name.trim().toLowerCase()));
  normalized.delete("");
  if (normalized.has(root)) throw invalidRequest("policies cannot contain root");
  return [...normalized].sort();
}

/** All names of several lists, once each. */
export function mergedPolicies(lists: Iterable<readonly string[]>): string[] {
  const names = new Set<string>();
  for (const list of lists) for (const name of list) if (name !== root) names.add(name);
  return [...names].sort();
}
