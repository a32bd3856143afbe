/** Whether a caller could do something on some path of a declared form, such as `pki/roles/:name`. */
import type { OperationName } from "../../api/path.ts";
import type { Acl } from "./acl.ts";
import { type Capabilities, capabilityBits, deny, sudo as sudoBit } from "./capability.ts";
import type { PathPattern } from "./path-pattern.ts";

export interface WantedAccess {
  /** With the mount's path. */
  readonly pattern: string;
  readonly name: OperationName;
  readonly sudo: boolean;
  /** Whether a write may be a creation; else it is always an update. */
  readonly creates: boolean;
}

const needed: Readonly<Record<OperationName, Capabilities>> = {
  read: capabilityBits.read,
  head: capabilityBits.read,
  write: capabilityBits.update,
  patch: capabilityBits.patch,
  list: capabilityBits.list,
  scan: capabilityBits.scan,
  delete: capabilityBits.delete,
};

/**
 * For each rule that could grant it, an example of a path that fits both the form and the rule is put to the whole
 * list: another rule may be more specific, and say no.
 */
export function couldAllow(acl: Acl, wantedAccess: WantedAccess, now: Date): boolean {
  if (acl.isRoot) return true;
  const { name, sudo, creates } = wantedAccess;
  const pattern = acl.way + wantedAccess.pattern;
  const isList = name === "list" || name === "scan";
  const wanted = needed[name] | (name === "write" && creates ? capabilityBits.create : 0);
  const enough = (capabilities: Capabilities) =>
    (capabilities & deny) === 0 && (capabilities & wanted) !== 0 && (!sudo || (capabilities & sudoBit) !== 0);
  const isGranted = (path: string) =>
    enough(capabilitiesOn(acl, isList && !path.endsWith("/") ? `${path}/` : path, now));
  if (!pattern.includes(":")) return isGranted(pattern);
  const forms = (isList ? [pattern, `${pattern}/`] : [pattern]).map((form) => form.split("/"));
  const fixed = pattern.slice(0, pattern.indexOf(":"));
  return acl
    .permissions(now)
    .some(
      (rule) =>
        enough(rule.capabilities) &&
        mayMeet(fixed, rule.pattern) &&
        forms.some((form) => examples(form, rule.pattern).some(isGranted)),
    );
}

function capabilitiesOn(acl: Acl, path: string, now: Date): Capabilities {
  return acl
    .capabilities(path.slice(acl.way.length), now)
    .reduce((bits, name) => bits | (name === "root" ? 0 : capabilityBits[name]), 0);
}

/** A quick no for most pairs of rules and forms. */
const mayMeet = (fixed: string, { head }: PathPattern) => head.startsWith(fixed) || fixed.startsWith(head);

/** A segment that no rule names. */
const unnamed = "\u{10ffff}";

/** Paths that fit both the declared form and the rule; where it is free to choose, with names that no other rule has. */
function examples(declared: readonly string[], { text, isPrefix }: PathPattern): string[] {
  const rule = (isPrefix ? text.slice(0, -1) : text).split("/");
  const from = (at: number, ruleAt: number): string[][] => {
    const segment = declared[at];
    const piece = rule[ruleAt];
    if (isPrefix && ruleAt === rule.length - 1) return completed(declared.slice(at), piece!);
    if (segment === undefined || piece === undefined) return segment === piece ? [[]] : [];
    if (!fits(segment, piece)) return [];
    const chosen = piece !== "+" ? piece : isParam(segment) ? unnamed : segment;
    const tails = isRest(segment) ? [...from(at + 1, ruleAt + 1), ...from(at, ruleAt + 1)] : from(at + 1, ruleAt + 1);
    return tails.map((tail) => [chosen, ...tail]);
  };
  return from(0, 0).map((segments) => segments.join("/"));
}

/** What is left of the form when its first segment begins so; once short, and deeper than rules reach by chance. */
function completed(left: readonly string[], start: string): string[][] {
  const [first, ...others] = left;
  if (first === undefined || !(isParam(first) || first.startsWith(start))) return [];
  const deeper = (segment: string, depth: number) => (isRest(segment) ? Array<string>(depth).fill(unnamed) : []);
  const filled = (segment: string, depth: number) => [isParam(segment) ? unnamed : segment, ...deeper(segment, depth)];
  return (left.some(isRest) ? [0, 1, 8] : [0]).map((depth) => [
    isParam(first) ? start + unnamed : first,
    ...deeper(first, depth),
    ...others.flatMap((segment) => filled(segment, depth)),
  ]);
}

const isParam = (segment: string) => segment.startsWith(":");
const isRest = (segment: string) => isParam(segment) && segment.endsWith("*");
const fits = (segment: string, piece: string) => (isParam(segment) ? piece !== "" : piece === "+" || segment === piece);
