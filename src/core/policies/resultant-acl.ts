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
    paths[shownPath(pattern)] = { capabilities: capabilityList(capabilities) };
  }
  return { root: acl.isRoot, exact_paths: exact, glob_paths: glob };
}

const shownPath = ({ text, head, afterWildcards }: PathPattern): string => (afterWildcards.length === 0 ? head : text);
