/** An access control list as user interfaces read it, to show only what its owner can use. */
import type { Acl } from "./acl.ts";
import { type CapabilityName, capabilityList } from "./capability.ts";
import type { PathPattern } from "./path-pattern.ts";

export interface ResultantAcl {
  readonly root: boolean;
  readonly exact_paths: Readonly<Record<string, PathCapabilities>>;
  /** A plain prefix stands here without its `*`; a path with `+` as it was written. */
  readonly glob_paths: Readonly<Record<string, PathCapabilities>>;
}

interface PathCapabilities {
  readonly capabilities: readonly CapabilityName[];
}

export function resultantAcl(acl: Acl, now: Date): ResultantAcl {
  const exact: Record<string, PathCapabilities> = Object.create(null);
  const glob: Record<string, PathCapabilities> = Object.create(null);
  for (const { pattern, capabilities } of acl.permissions(now)) {
    const paths = pattern.isExact ? exact : glob;
    const path = seenFrom(acl.way, shownPath(pattern), pattern);
    if (path !== undefined) paths[path] = { capabilities: capabilityList(capabilities) };
  }
  return { root: acl.isRoot, exact_paths: exact, glob_paths: glob };
}

/** The path as the namespace at the end of the way sees it; undefined for one that lies outside of it. */
function seenFrom(way: string, path: string, { isPrefix, afterWildcards }: PathPattern): string | undefined {
  if (path.startsWith(way)) return path.slice(way.length);
  // A prefix of the way covers all of the namespace.
  return isPrefix && afterWildcards.length === 0 && way.startsWith(path) ? "" : undefined;
}

const shownPath = ({ text, head, afterWildcards }: PathPattern): string => (afterWildcards.length === 0 ? head : text);
