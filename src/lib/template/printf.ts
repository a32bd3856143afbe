/** `printf`: the verbs s, q, v, d, x, X, o, b, c, t, f, e and g, with flags, width and precision. */
import { FunctionError } from "./error.ts";
import { textOf, typeName, type Value } from "./value.ts";

const widest = 10_000;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly verb: string;
}

export function printf(format: string, values: readonly Value[]): string {
  let text = "";
  let used = 0;
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf("%", at);
    if (percent === -1) {
      text += format.slice(at);
      break;
    }
    text += format.slice(at, percent);
    const [directive, end] = readDirective(format, percent + 1);
    at = end;
    if (directive.verb === "%") {
      text += "%";
      continue;
    }
    const value = values[used++];
    if (value === undefined) throw new FunctionError(`printf has no argument for %${directive.verb}`);
    text += padded(written(value, directive), directive, value);
  }
  if (used < values.length) throw new FunctionError(`printf has ${values.length - used} arguments too many`);
  return text;
}

function readDirective(format: string, start: number): [Directive, number] {
  let at = start;
  while ("+-# 0".includes(format[at] || "x")) at++;
  const flags = format.slice(start, at);
  const [width, afterWidth] = readDigits(format, at);
  at = afterWidth;
  let precision: number | undefined;
  if (format[at] === ".") [precision, at] = readDigits(format, at + 1);
  const verb = format[at] ?? "";
  if (!"sqvdxXobctfFeEgG%".includes(verb || "?")) {
    throw new FunctionError(`printf does not know %${verb}`);
  }
  return [{ flags, width, precision, verb }, at + 1];
}

function readDigits(format: string, start: number): [number, number] {
  let at = start;
  while (at < format.length && format[at]! >= "0" && format[at]! <= "9") at++;
  const value = at === start ? 0 : Number(format.slice(start, at));
  if (value > widest) throw new FunctionError(`printf writes at most ${widest} characters for one value`);
  return [value, at];
}

function written(value: Value, { verb, flags, precision }: Directive): string {
  switch (verb) {
    case "v":
      return textOf(value);
    case "s":
      return cut(stringOf(value, verb), precision);
    case "q":
      return JSON.stringify(cut(stringOf(value, verb), precision));
    case "t":
      if (typeof value !== "boolean") return mismatch(value, verb);
      return String(value);
    case "x":
    case "X":
      return cased(hexOf(value, verb), verb);
    case "c":
      return String.fromCodePoint(Math.min(Number(wholeOf(value, verb)), 0x10ffff));
    case "d":
      return signed(wholeOf(value, verb).toString(), flags);
    case "o":
      return signed(wholeOf(value, verb).toString(8), flags);
    case "b":
      return signed(wholeOf(value, verb).toString(2), flags);
    default:
      return signed(cased(floatText(value, verb.toLowerCase(), precision), verb), flags);
  }
}

const cased = (text: string, verb: string) => (verb >= "A" && verb <= "Z" ? text.toUpperCase() : text);
const cut = (text: string, precision: number | undefined) =>
  precision === undefined ? text : [...text].slice(0, precision).join("");

function stringOf(value: Value, verb: string): string {
  if (typeof value === "string" || (typeof value === "object" && value !== null)) return textOf(value);
  return mismatch(value, verb);
}

function hexOf(value: Value, verb: string): string {
  return typeof value === "string" ? Buffer.from(value, "utf8").toString("hex") : wholeOf(value, verb).toString(16);
}

function wholeOf(value: Value, verb: string): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  return mismatch(value, verb);
}

function floatText(value: Value, verb: string, precision: number | undefined): string {
  if (typeof value !== "number" && typeof value !== "bigint") return mismatch(value, verb);
  const number = Number(value);
  const digits = Math.min(precision ?? 6, 100);
  if (verb === "f") return number.toFixed(digits);
  if (verb === "e") return number.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
  return precision === undefined ? String(number) : String(Number(number.toPrecision(Math.max(1, digits))));
}

const signed = (text: string, flags: string) =>
  flags.includes("+") && !text.startsWith("-")
    ? `+${text}`
    : flags.includes(" ") && !text.startsWith("-")
      ? ` ${text}`
      : text;

function padded(text: string, { flags, width }: Directive, value: Value): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  const isNumber = typeof value === "bigint" || typeof value === "number";
  if (!flags.includes("0") || !isNumber) return " ".repeat(missing) + text;
  const sign = /^[+-]/.test(text) ? text[0]! : "";
  return sign + "0".repeat(missing) + text.slice(sign.length);
}

function mismatch(value: Value, verb: string): never {
  throw new FunctionError(`printf cannot write a value of type ${typeName(value)} with %${verb}`);
}
