/** Whether a caller could do something on some path of a declared form, such as `pki/roles/:name`. */
import type { OperationName } from "../../api/path.ts";
import type { Acl } from "./acl.ts";
import { type Capabilities, capabilityBits, deny, sudo as sudoBit } from "./capability.ts";
import type { PathPattern } from "./path-pattern.ts";

const needed: Readonly<Record<OperationName, Capabilities>> = {
  read: capabilityBits.read,
  head: capabilityBits.read,
  write: capabilityBits.create | capabilityBits.update,
  patch: capabilityBits.patch,
  list: capabilityBits.list,
  scan: capabilityBits.scan,
  delete: capabilityBits.delete,
};

export function couldAllow(acl: Acl, pattern: string, operation: OperationName, sudo: boolean, now: Date): boolean {
  if (acl.isRoot) return true;
  const isList = operation === "list" || operation === "scan";
  const enough = (capabilities: Capabilities) =>
    (capabilities & deny) === 0 &&
    (capabilities & needed[operation]) !== 0 &&
    (!sudo || (capabilities & sudoBit) !== 0);
  if (!pattern.includes(":")) return enough(exactCapabilities(acl, isList ? `${pattern}/` : pattern, now));
  const forms = isList ? [pattern, `${pattern}/`] : [pattern];
  return acl
    .permissions(now)
    .some((each) => enough(each.capabilities) && forms.some((form) => canMeet(form.split("/"), each.pattern)));
}

function exactCapabilities(acl: Acl, path: string, now: Date): Capabilities {
  const names = acl.capabilities(path, now);
  return names.reduce((bits, name) => bits | (name === "root" ? 0 : capabilityBits[name]), 0);
}

/** Whether some path fits both the declared form and the rule. */
function canMeet(declared: readonly string[], { text, isPrefix }: PathPattern): boolean {
  const rule = (isPrefix ? text.slice(0, -1) : text).split("/");
  const meets = (at: number, ruleAt: number): boolean => {
    const segment = declared[at];
    const piece = rule[ruleAt];
    if (isPrefix && ruleAt === rule.length - 1) return segment === undefined ? false : beginsWith(segment, piece ?? "");
    if (segment === undefined || piece === undefined) return segment === undefined && piece === undefined;
    if (segment.endsWith("*") && segment.startsWith(":")) {
      return piece !== "" && (meets(at + 1, ruleAt + 1) || meets(at, ruleAt + 1));
    }
    return fits(segment, piece) && meets(at + 1, ruleAt + 1);
  };
  return meets(0, 0);
}

const isParam = (segment: string) => segment.startsWith(":");
const beginsWith = (segment: string, start: string) => isParam(segment) || segment.startsWith(start);
const fits = (segment: string, piece: string) => (isParam(segment) ? piece !== "" : piece === "+" || segment === piece);
