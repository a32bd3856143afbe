/** Writes JSON values as YAML: what could be read as anything else than a string is quoted. */
import { isJsonObject, isRawNumber } from "../../lib/json.ts";

/** A text block at the top level would have no indentation to be told by, so a lone text is quoted. */
export function renderYaml(value: unknown): string {
  const lines = typeof value === "string" ? [quotedOrPlain(value)] : block(value);
  return `${lines.join("\n")}\n`;
}

/** The lines of a value; those of a nested one are indented by the caller. */
function block(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap(listItem);
  if (isMapping(value)) return Object.entries(value).flatMap(([key, below]) => mapItem(key, below));
  return scalar(value);
}

function listItem(item: unknown): string[] {
  const [first = "", ...rest] = block(item);
  return [`- ${first}`, ...rest.map(indented)];
}

/** Readers need not look further than this for the colon; a longer key is announced with a question mark. */
const longestKey = 1000;

function mapItem(key: string, value: unknown): string[] {
  const name = quotedOrPlain(key);
  const [before, head] = name.length > longestKey ? [[`? ${name}`], ":"] : [[], `${name}:`];
  if (isMapping(value) || (Array.isArray(value) && value.length > 0)) {
    return [...before, head, ...block(value).map(indented)];
  }
  const [first = "", ...rest] = scalar(value);
  return [...before, `${head} ${first}`, ...rest.map(indented)];
}

const indented = (line: string): string => (line === "" ? "" : `  ${line}`);

const isMapping = (value: unknown): value is object => isJsonObject(value) && Object.keys(value).length > 0;

function scalar(value: unknown): string[] {
  if (isRawNumber(value)) return [value.rawJSON];
  if (Array.isArray(value)) return ["[]"];
  if (isJsonObject(value)) return ["{}"];
  if (typeof value !== "string") return [String(value ?? null)];
  return isTextBlock(value) ? textBlock(value) : [quotedOrPlain(value)];
}

/** JSON's escapes are YAML's, but YAML counts more characters as ends of lines or as not printable. */
const quotedOrPlain = (text: string): string =>
  isPlain(text)
    ? text
    : JSON.stringify(text).replace(
        /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );

/** Words that some YAML reader takes for a truth value or for nothing. */
const words = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "null"]);

const isPlain = (text: string): boolean =>
  /^[A-Za-z_/][A-Za-z0-9_./@+ -]*$/.test(text) && !text.endsWith(" ") && !words.has(text.toLowerCase());

/** Lines of printable text that a block can hold without escapes, and whose ends it gives back unchanged. */
function isTextBlock(text: string): boolean {
  if (!text.includes("\n") || text.endsWith("\n\n") || /^[\n\t ]/.test(text)) return false;
  if (/[^\n\t\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text)) return false;
  return !text.split("\n").some((line) => line !== "" && line.trim() === "");
}

const textBlock = (text: string): string[] =>
  text.endsWith("\n") ? ["|", ...text.slice(0, -1).split("\n")] : ["|-", ...text.split("\n")];
