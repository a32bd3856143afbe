/** `"%s is %d".format([name, age])`: placeholders, their errors, and what each makes of a value. */
import type { Expression } from "../ast.ts";
import { EvaluationError, type Issue } from "../errors.ts";
import type { Meter } from "../limits.ts";
import { plainDecimal, roundedDecimal, scientific } from "../number-text.ts";
import { timestampText } from "../time-text.ts";
import { typeOfValue } from "../type-of.ts";
import { type Type, typeText } from "../types.ts";
import {
  Duration,
  isList,
  isMap,
  type Kind,
  kindOf,
  mapEntries,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from "../values.ts";

const maximumPrecision = 100;
const defaultPrecision = 6;

interface Placeholder {
  readonly letter: string;
  readonly precision: number;
}

/** Texts and placeholders in turn. Throws `EvaluationError`. */
function parseFormat(format: string): (string | Placeholder)[] {
  const parts: (string | Placeholder)[] = [];
  let from = 0;
  for (let at = format.indexOf("%"); at !== -1; at = format.indexOf("%", from)) {
    parts.push(format.slice(from, at));
    if (format[at + 1] === "%") {
      parts.push("%");
      from = at + 2;
      continue;
    }
    const { placeholder, end } = placeholderAt(format, at + 1);
    parts.push(placeholder);
    from = end;
  }
  parts.push(format.slice(from));
  return parts;
}

function placeholderAt(format: string, start: number): { placeholder: Placeholder; end: number } {
  let at = start;
  let precision = defaultPrecision;
  if (at >= format.length) throw new EvaluationError("unexpected end of string");
  if (format[at] === ".") {
    const digits = /^[0-9]{0,9}/.exec(format.slice(at + 1, at + 10))![0];
    at += 1 + digits.length;
    if (at >= format.length) {
      throw badPrecision("could not find end of precision specifier");
    }
    if (digits === "") throw badPrecision("no digits");
    precision = Number(digits);
    if (precision > maximumPrecision) {
      throw badPrecision(`precision ${precision} exceeds maximum allowed precision ${maximumPrecision}`);
    }
  }
  const letter = format[at]!;
  if (!Object.hasOwn(clauses, letter)) {
    throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${letter}"`);
  }
  return { placeholder: { letter, precision }, end: at + 1 };
}

const badPrecision = (problem: string): EvaluationError =>
  new EvaluationError(`could not parse formatting clause: error while parsing precision: ${problem}`);

interface Clause {
  readonly kinds: readonly Kind[];
  readonly refusal: string;
  write(value: Value, precision: number): string;
}

const numbers: readonly Kind[] = ["int", "uint", "double"];
const whole: readonly Kind[] = ["int", "uint"];
const texts: readonly Kind[] = [
  ...numbers,
  ...(["bool", "string", "bytes", "list", "map", "timestamp", "duration", "type", "null"] as const),
];

const clauses: Readonly<Record<string, Clause>> = {
  s: {
    kinds: texts,
    refusal:
      "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    write: (value) => textOf(value),
  },
  d: {
    kinds: numbers,
    refusal: "decimal clause can only be used on ints, uints, and doubles",
    write: (value) => (typeof value === "number" ? named(value, plainDecimal) : String(integer(value))),
  },
  f: {
    kinds: numbers,
    refusal: "fixed-point clause can only be used on ints, uints, and doubles",
    write: (value, precision) => named(real(value), (number) => roundedDecimal(number, precision)),
  },
  e: {
    kinds: numbers,
    refusal: "scientific clause can only be used on ints, uints, and doubles",
    write: (value, precision) => named(real(value), (number) => scientific(number, precision)),
  },
  b: {
    kinds: ["bool", ...whole],
    refusal: "only ints, uints, and bools can be formatted as binary",
    write: (value) => (typeof value === "boolean" ? String(Number(value)) : integer(value).toString(2)),
  },
  x: {
    kinds: [...whole, "string", "bytes"],
    refusal: "only ints, uints, bytes, and strings can be formatted as hex",
    write: hexadecimal,
  },
  X: {
    kinds: [...whole, "string", "bytes"],
    refusal: "only ints, uints, bytes, and strings can be formatted as hex",
    write: (value) => hexadecimal(value).toUpperCase(),
  },
  o: {
    kinds: whole,
    refusal: "octal clause can only be used on ints and uints",
    write: (value) => integer(value).toString(8),
  },
};

const integer = (value: Value): bigint => (value instanceof Uint ? value.value : (value as bigint));
const real = (value: Value): number => (typeof value === "number" ? value : Number(integer(value)));

function named(value: number, write: (value: number) => string): string {
  if (Number.isFinite(value)) return write(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

function hexadecimal(value: Value): string {
  if (typeof value === "string") return Buffer.from(value).toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : integer(value).toString(16);
}

function textOf(value: Value): string {
  if (typeof value === "number") return named(value, plainDecimal);
  if (value instanceof Uint) return String(value.value);
  if (value === null || typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return `${plainDecimal(Number(value.nanoseconds) / 1e9)}s`;
  if (value instanceof TypeValue) return value.name;
  if (isList(value)) return `[${value.map(textOf).join(", ")}]`;
  if (!isMap(value)) throw refused(clauses["s"]!, typeOfValue(value).name);
  const entries = [...mapEntries(value)].map(([key, each]) => [textOf(key), textOf(each)] as const);
  entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `{${entries.map(([key, each]) => `${key}: ${each}`).join(", ")}}`;
}

const refused = (clause: Clause, type: string): EvaluationError =>
  new EvaluationError(`error during formatting: ${clause.refusal}, was given ${type}`);

export function format(meter: Meter, pattern: string, values: readonly Value[]): string {
  let index = 0;
  let length = 0;
  const parts: string[] = [];
  for (const part of parseFormat(pattern)) {
    const text = typeof part === "string" ? part : place(part, values, index++);
    length += text.length;
    meter.chargeText(length);
    parts.push(text);
  }
  return parts.join("");
}

function place({ letter, precision }: Placeholder, values: readonly Value[], index: number): string {
  const value = values[index];
  if (value === undefined) throw new EvaluationError(`index ${index} out of range`);
  const clause = clauses[letter]!;
  if (!clause.kinds.includes(kindOf(value))) throw refused(clause, typeOfValue(value).name);
  return clause.write(value, precision);
}

/** As the type calls itself at run time, without what it is made of. */
function typeName(type: Type): string {
  if (type.kind === "null") return "null_type";
  return /^[^(]+/.exec(typeText(type))![0];
}

/** Finds before the program runs what is wrong with a format that is written out, with a list that is written out. */
export function validateFormat(node: Expression, typeOf: (node: Expression) => Type): Issue | undefined {
  if (node.kind !== "call" || node.name !== "format" || node.target?.kind !== "literal") return undefined;
  const [list] = node.parameters;
  const pattern = node.target.value;
  if (typeof pattern !== "string" || list?.kind !== "list") return undefined;
  try {
    const placeholders = parseFormat(pattern).filter((part) => typeof part !== "string");
    for (const [index, { letter }] of placeholders.entries()) {
      const element = list.elements[index];
      if (element === undefined) return { position: node.position, message: `index ${index} out of range` };
      const clause = clauses[letter]!;
      const type = typeOf(element);
      const isFine = type.kind === "dyn" || type.kind === "wrapper" || clause.kinds.includes(type.kind as Kind);
      if (!isFine) {
        return { position: element.position, message: refused(clause, typeName(type)).message };
      }
    }
    const [expected, given] = [placeholders.length, list.elements.length];
    if (given <= expected) return undefined;
    const message = `too many arguments supplied to string.format (expected ${expected}, got ${given})`;
    return { position: node.position, message };
  } catch (error) {
    return { position: node.position, message: (error as Error).message };
  }
}
