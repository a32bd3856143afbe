/** Password policies: how long generated passwords are, and which characters they are made of. */
import type { Random } from "../../api/engine.ts";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { itemBlocks } from "../../lib/hcl/blocks.ts";
import { HclError } from "../../lib/hcl/error.ts";
import { parseHcl } from "../../lib/hcl/parser.ts";
import type { Body, Item, Value } from "../../lib/hcl/syntax-tree.ts";
import { policyText } from "./parse-policy.ts";

export interface PasswordPolicy {
  readonly length: number;
  readonly rules: readonly CharsetRule[];
  /** All characters of all rules, each once. */
  readonly characters: readonly string[];
}

interface CharsetRule {
  readonly characters: ReadonlySet<string>;
  /** A password has at least so many of them. */
  readonly minimum: number;
}

const shortest = 4;
const longest = 100;
const mostCharacters = 1000;

/** HCL, JSON, or base64 of either. Throws an `ApiError` that says what is wrong. */
export function parsePasswordPolicy(text: string): PasswordPolicy {
  try {
    return readPolicy(parseHcl(policyText(text)));
  } catch (error) {
    if (error instanceof HclError) throw invalidRequest(`failed to parse password policy: ${error.message}`);
    throw error;
  }
}

function readPolicy(document: Body): PasswordPolicy {
  let length: number | undefined;
  const rules: CharsetRule[] = [];
  for (const item of document.items) {
    if (item.key === "length") length = wholeNumber(item.value, "length");
    else if (item.key === "rule")
      rules.push(...itemBlocks(item, 1).map(({ labels, body }) => readRule(labels[0]!.text, body)));
    else throw unknownKey(item, "length and rule");
  }
  if (length === undefined) throw refused("length is missing");
  if (length < shortest || length > longest) throw refused(`length must be between ${shortest} and ${longest}`);
  if (rules.length === 0) throw refused('at least one rule "charset" is needed');
  const needed = rules.reduce((sum, { minimum }) => sum + minimum, 0);
  if (needed > length) throw refused(`the rules want ${needed} characters, and the length is ${length}`);
  const characters = [...new Set(rules.flatMap((rule) => [...rule.characters]))];
  if (characters.length > mostCharacters) throw refused(`more than ${mostCharacters} different characters`);
  return { length, rules, characters };
}

function readRule(kind: string, body: Body): CharsetRule {
  if (kind !== "charset") throw refused(`unknown rule ${JSON.stringify(kind)}: only "charset" exists`);
  let characters = new Set<string>();
  let minimum = 0;
  for (const item of body.items) {
    if (item.key === "charset") characters = readCharacters(item.value);
    else if (item.key === "min-chars" || item.key === "min_chars") minimum = wholeNumber(item.value, item.key);
    else throw unknownKey(item, "charset and min-chars");
  }
  if (characters.size === 0) throw refused('a rule "charset" needs a charset with characters in it');
  return { characters, minimum };
}

function readCharacters(value: Value): Set<string> {
  if (value.kind !== "string") throw refused("charset must be a string");
  const characters = new Set(value.value);
  for (const character of characters) {
    if (/[\p{C}\p{Z}]/u.test(character) && character !== " ")
      throw refused("charset may hold printable characters only");
  }
  return characters;
}

function wholeNumber(value: Value, name: string): number {
  const text = value.kind === "number" ? value.text : value.kind === "string" ? value.value : "";
  if (!/^[0-9]{1,4}$/.test(text)) throw refused(`${name} must be a whole number`);
  return Number(text);
}

const unknownKey = ({ key, position }: Item, known: string) =>
  refused(`invalid key ${JSON.stringify(key)} on line ${position.line}: there are ${known}`);

const refused = (reason: string) => invalidRequest(`failed to parse password policy: ${reason}`);

/** What a policy must manage to be accepted; one that hardly ever succeeds would fail its users later. */
const triesToProve = 100;
const triesToGenerate = 10_000;

export function requireUsable(policy: PasswordPolicy, random: Random): void {
  if (tryToGenerate(policy, random, triesToProve) !== undefined) return;
  throw refused("its rules are too strict: hardly any password of that length keeps all of them");
}

/** Every password that keeps the rules is equally likely: candidates are drawn fairly, and those that do not are dropped. */
export function generatePassword(policy: PasswordPolicy, random: Random): string {
  const password = tryToGenerate(policy, random, triesToGenerate);
  if (password === undefined) throw new ApiError(500, "no password was found that keeps the rules of the policy");
  return password;
}

function tryToGenerate(policy: PasswordPolicy, random: Random, tries: number): string | undefined {
  for (let left = tries; left > 0; left--) {
    const candidate = draw(policy, random);
    if (policy.rules.every((rule) => keeps(rule, candidate))) return candidate.join("");
  }
  return undefined;
}

const keeps = ({ characters, minimum }: CharsetRule, candidate: readonly string[]): boolean =>
  minimum === 0 || candidate.filter((character) => characters.has(character)).length >= minimum;

function draw({ characters, length }: PasswordPolicy, random: Random): string[] {
  const count = characters.length;
  const range = 0x10000;
  /** Numbers above the largest multiple would favor the first characters. */
  const fair = range - (range % count);
  const drawn: string[] = [];
  while (drawn.length < length) {
    const bytes = random.bytes(2 * (length - drawn.length));
    for (let at = 0; at + 1 < bytes.length; at += 2) {
      const number = bytes[at]! * 256 + bytes[at + 1]!;
      if (number < fair) drawn.push(characters[number % count]!);
    }
  }
  return drawn;
}
