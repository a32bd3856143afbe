/**
 * Compares the parameters of a request with those that a rule allows, denies or requires.
 * Engines read their input weakly (`"false"`, `"0"` and `false` are one flag to them), so a denied flag or number is
 * denied however it is written.
 */
import { readFlag, readInteger, readNumber, readText } from "../../api/coerce.ts";
import type { PlainObject, PlainValue } from "../../lib/hcl/plain-value.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { ParameterValues } from "./policy.ts";

/** Stands for every parameter that has no entry of its own. */
const anyName = "*";

interface ParameterRules {
  readonly allowedParameters: ParameterValues;
  readonly deniedParameters: ParameterValues;
  readonly requiredParameters: readonly string[];
}

/** Why these parameters are refused; undefined if they are not. Values are never shown: they may be secrets. */
export function parameterRefusal(rules: ParameterRules, body: Readonly<JsonObject>): string | undefined {
  const missing = rules.requiredParameters.find((name) => !isGiven(body, name));
  if (missing !== undefined) return `the parameter ${JSON.stringify(missing)} is required`;
  const names = Object.keys(body);
  const denied = names.find((name) => isDenied(rules.deniedParameters, name, body[name]));
  if (denied !== undefined) return `the parameter ${JSON.stringify(denied)} is denied, or this value of it`;
  const other = names.find((name) => !isAllowed(rules.allowedParameters, name, body[name]));
  if (other !== undefined) return `the parameter ${JSON.stringify(other)} is not allowed, or not this value of it`;
  return undefined;
}

/** Only under its real name, and not as null, since engines take no notice of anything else. */
const isGiven = (body: Readonly<JsonObject>, name: string) =>
  Object.hasOwn(body, name) && body[name] !== null && body[name] !== undefined;

function isDenied(denied: ParameterValues, name: string, given: unknown): boolean {
  if (denied.size === 0) return false;
  if (denied.has(anyName)) return true;
  const values = denied.get(name.toLowerCase())?.flatMap(weakForms);
  if (!values) return false;
  // A list that contains a denied value would otherwise carry it past the rule.
  return isAmong(values, given) || (Array.isArray(given) && given.some((item) => isAmong(values, item)));
}

/** Policies for command-line users say `"false"` and `"10"` where a flag or a number is meant. */
function weakForms(value: PlainValue): PlainValue[] {
  if (value === "true" || value === "false") return [value, value === "true"];
  const number = typeof value === "string" && value !== "" ? readNumber(value) : undefined;
  return typeof number === "number" ? [value, number] : [value];
}

function isAllowed(allowed: ParameterValues, name: string, given: unknown): boolean {
  if (allowed.size === 0) return true;
  const values = allowed.get(name.toLowerCase());
  return values ? isAmong(values, given) : allowed.has(anyName);
}

const isAmong = (values: readonly PlainValue[], given: unknown): boolean =>
  values.length === 0 || values.some((value) => isSame(value, given));

function isSame(value: PlainValue, given: unknown): boolean {
  if (value === null) return given === null;
  if (typeof value === "string") return isText(value, given);
  if (typeof value === "boolean") return readFlag(given) === value;
  if (Array.isArray(value)) return Array.isArray(given) && isSameList(value, given);
  if (typeof value === "object") return isJsonObject(given) && isSameObject(value, given);
  return typeof given !== "boolean" && isSameNumber(value, given);
}

function isText(pattern: string, given: unknown): boolean {
  if (typeof given === "boolean") return pattern === "*" || readFlag(pattern) === given;
  const text = readText(given);
  return typeof text === "string" && matchesGlob(pattern, text);
}

/** `x*`, `*x` and `*x*`. */
function matchesGlob(pattern: string, text: string): boolean {
  if (pattern === "*") return true;
  const start = pattern.startsWith("*");
  const end = pattern.endsWith("*");
  if (start && end) return text.includes(pattern.slice(1, -1));
  if (start) return text.endsWith(pattern.slice(1));
  return end ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

function isSameNumber(value: number | bigint, given: unknown): boolean {
  const text = readText(given);
  if (typeof text !== "string" || text === "") return false;
  if (typeof value === "bigint") return text === value.toString();
  return readNumber(text) === value || readInteger(text) === value;
}

const isSameList = (values: readonly PlainValue[], given: readonly unknown[]): boolean =>
  values.length === given.length && values.every((value, index) => isSame(value, given[index]));

function isSameObject(value: PlainObject, given: JsonObject): boolean {
  const names = Object.keys(value);
  if (names.length !== Object.keys(given).length) return false;
  return names.every((name) => Object.hasOwn(given, name) && isSame(value[name]!, given[name]));
}
