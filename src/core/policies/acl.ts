/** An access control list: the rules of all policies that one caller has, ready to decide. */
import { type CapabilityName, capabilityList, deny } from "./capability.ts";
import { mayMatchBelow } from "./path-pattern.ts";
import { isList, Permissions } from "./permissions.ts";
import type { Policy, PolicyRule } from "./policy.ts";
import { RuleIndex } from "./rule-index.ts";
import { type AccessRequest, noRuleVerdict, rootVerdict, type Verdict } from "./verdict.ts";

interface SourceRule {
  readonly policy: string;
  readonly rule: PolicyRule;
}

interface Compiled {
  readonly index: RuleIndex;
  readonly permissions: readonly Permissions[];
  /** When the next rule expires, in milliseconds since the epoch. */
  readonly until: number;
}

export class Acl {
  /** Bypasses all rules. */
  readonly isRoot: boolean;
  /**
   * The way from the namespace whose rules these are to the one whose paths are asked about: rules see paths with it in
   * front. Empty where they are the same.
   */
  readonly way: string;
  readonly #rules: readonly SourceRule[];
  #compiled: Compiled | undefined;

  /** The policies' templates are filled in already. */
  constructor(policies: readonly Policy[], way = "") {
    this.way = way;
    this.isRoot = policies.some(({ name }) => name === "root");
    this.#rules = policies.flatMap(({ name, rules }) => rules.map((rule) => ({ policy: name, rule })));
  }

  allows(request: AccessRequest): Verdict {
    if (this.isRoot) return rootVerdict;
    const permissions = this.#at(request.now).index.find(this.way + request.path, isList(request.operation));
    return permissions ? permissions.judge(request) : noRuleVerdict;
  }

  /** Sorted; as clients know it, this is what a list of the path would be judged by. */
  capabilities(path: string, now: Date): (CapabilityName | "root")[] {
    if (this.isRoot) return ["root"];
    return capabilityList(this.#at(now).index.find(this.way + path, true)?.capabilities ?? 0);
  }

  /** Whether anything at all is granted at this path or below it, such as for showing a mount. */
  reaches(path: string, now: Date): boolean {
    if (this.isRoot || isGranting(this.#at(now).index.find(this.way + path, true))) return true;
    return this.permissions(now).some((each) => isGranting(each) && mayMatchBelow(each.pattern, this.way + path));
  }

  /** All that is in force, one for each path that rules name; the paths are as the rules see them. */
  permissions(now: Date): readonly Permissions[] {
    return this.#at(now).permissions;
  }

  #at(now: Date): Compiled {
    const time = now.getTime();
    if (!this.#compiled || time >= this.#compiled.until) this.#compiled = compile(this.#rules, time);
    return this.#compiled;
  }
}

const isGranting = (permissions: Permissions | undefined): boolean =>
  permissions !== undefined && permissions.capabilities !== 0 && permissions.capabilities !== deny;

function compile(rules: readonly SourceRule[], time: number): Compiled {
  const byPath = new Map<string, Permissions>();
  let until = Number.POSITIVE_INFINITY;
  for (const { policy, rule } of rules) {
    if (rule.expires !== undefined) {
      if (time >= rule.expires) continue;
      until = Math.min(until, rule.expires);
    }
    const known = byPath.get(rule.path);
    if (known) known.merge(policy, rule);
    else byPath.set(rule.path, new Permissions(policy, rule));
  }
  const permissions = [...byPath.values()];
  return { index: new RuleIndex(permissions), permissions, until };
}
