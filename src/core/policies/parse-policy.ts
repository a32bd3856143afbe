/** Reads the text of an ACL policy: HCL, JSON, or base64 of either. */
import { itemBlocks } from "../../lib/hcl/blocks.ts";
import { HclError } from "../../lib/hcl/error.ts";
import { parseHcl } from "../../lib/hcl/parser.ts";
import type { Body, Item } from "../../lib/hcl/syntax-tree.ts";
import { parseRule } from "./parse-rule.ts";
import type { Policy, PolicyRule } from "./policy.ts";
import { PolicyError, PolicyFault } from "./policy-error.ts";
import type { Selector } from "./templating.ts";

/** Throws `PolicyError`, and nothing else whatever the text is. The name is the one it is stored under. */
export function parsePolicy(name: string, text: string): Policy {
  try {
    const rules = readRules(parseHcl(policyText(text)));
    return { name, rules, selectors: selectorsOf(rules) };
  } catch (error) {
    if (error instanceof HclError || error instanceof PolicyFault) throw new PolicyError(error.message);
    throw error;
  }
}

/** The text itself when it came in base64. */
export function policyText(text: string): string {
  const compact = text.trim();
  if (compact === "" || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(compact, "base64"));
  } catch {
    return text;
  }
}

function readRules(document: Body): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const item of document.items) {
    if (item.key === "path") rules.push(...readPaths(item));
    else if (item.key !== "name") throw invalidKey(item);
    else if (item.value.kind !== "string") throw new PolicyFault(`name on line ${item.position.line} must be a string`);
  }
  return rules;
}

const invalidKey = ({ key, position }: Item) =>
  new PolicyFault(`invalid key ${JSON.stringify(key)} on line ${position.line}`);

function readPaths(item: Item): PolicyRule[] {
  return itemBlocks(item, 1).map(({ labels, body, position }) => {
    const path = labels[0]!.text;
    try {
      return parseRule(path, body, position.line);
    } catch (error) {
      if (error instanceof PolicyFault) throw new PolicyFault(`path ${JSON.stringify(path)}: ${error.message}`);
      throw error;
    }
  });
}

function selectorsOf(rules: readonly PolicyRule[]): Selector[] {
  const selectors = new Map<string, Selector>();
  for (const { template } of rules) {
    for (const selector of template?.selectors ?? []) selectors.set(selector.text, selector);
  }
  return [...selectors.values()];
}
