/** Regular expressions that find and replace, in linear time. */
import { type Library, overload } from "../declarations.ts";
import { EvaluationError } from "../errors.ts";
import type { Meter } from "../limits.ts";
import { compilePattern, patternFor } from "../patterns.ts";
import { Optional, type Value } from "../values.ts";

/** Each match as its groups; the first is the whole. */
function* matchesOf(meter: Meter, text: string, pattern: string) {
  const matcher = patternFor(meter, pattern, text).matcher(text);
  while (matcher.find()) {
    meter.charge(1);
    yield matcher;
  }
}

function requireOneGroup(meter: Meter, pattern: string): number {
  const count = compilePattern(meter, pattern).groupCount();
  if (count <= 1) return count;
  const shown = JSON.stringify(pattern);
  throw new EvaluationError(`regular expression has more than one capturing group: ${shown}`);
}

function extract(meter: Meter, text: string, pattern: string): Value {
  const group = requireOneGroup(meter, pattern);
  for (const match of matchesOf(meter, text, pattern)) {
    const found = match.group(group);
    return group === 1 && (found ?? "") === "" ? Optional.none : new Optional(found ?? "");
  }
  return Optional.none;
}

function extractAll(meter: Meter, text: string, pattern: string): Value {
  const group = requireOneGroup(meter, pattern);
  const found: string[] = [];
  for (const match of matchesOf(meter, text, pattern)) {
    const part = match.group(group) ?? "";
    if (group === 0 || part !== "") found.push(part);
  }
  return found;
}

/** A negative limit means none. */
function replace(meter: Meter, text: string, pattern: string, replacement: string, limit = -1n): string {
  if (limit === 0n) return text;
  const template = parseReplacement(replacement, compilePattern(meter, pattern).groupCount());
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  let count = 0n;
  for (const match of matchesOf(meter, text, pattern)) {
    const part =
      text.slice(from, match.start()) +
      template.map((each) => (typeof each === "string" ? each : (match.group(each) ?? ""))).join("");
    from = match.end();
    length += part.length;
    meter.chargeText(length);
    parts.push(part);
    if (++count === limit) break;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Texts, and numbers of groups that were written as `\1`. */
function parseReplacement(text: string, groupCount: number): (string | number)[] {
  const parts: (string | number)[] = [];
  let from = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", from)) {
    parts.push(text.slice(from, at));
    parts.push(replacementEscape(text, text[at + 1], groupCount));
    from = at + 2;
  }
  parts.push(text.slice(from));
  return parts;
}

function replacementEscape(text: string, next: string | undefined, groupCount: number): string | number {
  if (next === "\\") return "\\";
  if (next === undefined) throw new EvaluationError(`invalid replacement string: '${text}' \\ not allowed at end`);
  if (!/[0-9]/.test(next)) {
    throw new EvaluationError(`invalid replacement string: '${text}' \\ must be followed by a digit or \\`);
  }
  if (Number(next) <= groupCount) return Number(next);
  const message = `replacement string references group ${next} but regex has only ${groupCount} group(s)`;
  throw new EvaluationError(message);
}

export const regexLibrary: Library = {
  overloads: [
    overload("regex_extract_string_string", "regex.extract(string, string) -> optional(string)", extract),
    overload("regex_extractAll_string_string", "regex.extractAll(string, string) -> list(string)", extractAll),
    overload("regex_replace_string_string_string", "regex.replace(string, string, string) -> string", replace),
    overload("regex_replace_string_string_string_int", "regex.replace(string, string, string, int) -> string", replace),
  ],
};
