/**
 * The vocabulary of API fields. Each word is a zod schema that carries its description,
 * so one expression gives the parser, the TypeScript type, the OpenAPI schema, the help text and the form input.
 */
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import {
  readDictionary,
  readDuration,
  readFlag,
  readInteger,
  readItems,
  readList,
  readNumber,
  readText,
  readTime,
} from "./coerce.ts";

export type Field = z.ZodType;
export type Fields = Record<string, Field>;
export type Values<F extends Fields> = z.output<z.ZodObject<F>>;

/** What a field says of itself besides its type. */
export interface FieldNotes {
  description?: string;
  format?: string;
  /** Taken in, never given out: a password in a configuration. Neither logged nor audited in clear. */
  writeOnly?: boolean;
  /** Given out on purpose: a private key, a token. Neither logged nor audited in clear. */
  sensitive?: boolean;
  deprecated?: boolean;
  /** Any string is good as it comes. */
  plain?: boolean;
  /** JSON Schema, where zod cannot tell it. */
  schema?: object;
}

const expecting = (what: string) => ({ error: () => `expected ${what}` });

export const text = (description: string) =>
  weak(z.string(expecting("a string")), readText, { description, plain: true });

/** One of a few words. */
export const choice = <const Option extends string>(options: readonly Option[], description: string) =>
  weak(z.enum(options, expecting(`one of ${options.map((option) => JSON.stringify(option)).join(", ")}`)), readText, {
    description,
  });

export const flag = (description: string) =>
  weak(z.boolean(expecting("a boolean: true or false")), readFlag, { description });

export const integer = (description: string) => weak(z.int(expecting("an integer")), readInteger, { description });

export const number = (description: string) => weak(z.number(expecting("a number")), readNumber, { description });

/** Whole seconds, from a number or a string such as `90`, `30s`, `1h30m` or `7d`. */
export const duration = (description: string) =>
  weak(z.int(expecting('a duration: seconds, or a string such as "30s", "1h30m" or "7d"')), readDuration, {
    description,
    format: "seconds",
  });

/** Milliseconds since the epoch, from RFC 3339 or seconds since the epoch. */
export const time = (description: string) =>
  weak(z.int(expecting("a time: RFC 3339, or seconds since 1970")), readTime, { description, format: "date-time" });

/** Strings, from an array or one comma-separated string. */
export const list = (description: string) =>
  weak(z.array(z.string(expecting("a string")), expecting("a list of strings")), readList, { description });

/** Strings, from an array; a single string is one item, commas and all. */
export const items = (description: string) =>
  weak(z.array(z.string(expecting("a string")), expecting("a list of strings")), readItems, { description });

/** Whole numbers, from an array or one comma-separated string. */
export const integers = (description: string) =>
  weak(
    z.array(z.int(expecting("an integer")), expecting("a list of integers")),
    (raw) => {
      const read = readList(raw);
      return Array.isArray(read) ? read.map(readInteger) : read;
    },
    { description },
  );

/** Strings by name, from a map or a list of `key=value`. Not a zod record: that would drop a key named `__proto__`. */
export const dictionary = (description: string) =>
  weak(
    z.custom<Record<string, string>>(isDictionary, expecting("a map of strings, or a list of key=value")),
    readDictionary,
    {
      description,
      schema: { type: "object", additionalProperties: { type: "string" } },
    },
  );

/** Whatever JSON the caller sends. */
export const anything = (description: string) => z.unknown().meta({ description });

/** Any JSON object. */
export const object = (description: string) =>
  z
    .custom<JsonObject>(isJsonObject, expecting("an object"))
    .meta({ description, schema: { type: "object", additionalProperties: true } });

/** A nested object whose members are fields themselves. */
export const group = <F extends Fields>(description: string, fields: F) =>
  z.object(fields, expecting("an object")).meta({ description });

/** A list of nested objects. */
export const groups = <F extends Fields>(description: string, fields: F) =>
  z.array(z.object(fields, expecting("an object")), expecting("a list of objects")).meta({ description });

/** Nested objects by name. */
export const named = <F extends Fields>(description: string, fields: F) =>
  z.record(z.string(), z.object(fields, expecting("an object")), expecting("a map of objects")).meta({ description });

export const writeOnly = <F extends Field>(field: F): F => noted(field, { writeOnly: true });
export const sensitive = <F extends Field>(field: F): F => noted(field, { sensitive: true });
export const deprecated = <F extends Field>(field: F): F => noted(field, { deprecated: true });

/** Every field optional and without its default: what PATCH accepts, and what an update leaves alone. */
export function partial<F extends Fields>(fields: F) {
  const entries = Object.entries(fields).map(([name, field]) => [name, z.optional(bare(field))]);
  return Object.fromEntries(entries) as { [K in keyof F]: z.ZodOptional<F[K]> };
}

/** What the field, or what it wraps, says of itself; the outermost word wins. */
export function notesOf(field: Field): FieldNotes {
  const inner = unwrapped(field);
  return { ...(inner && notesOf(inner)), ...(field.meta() as FieldNotes | undefined) };
}

export function defaultOf(field: Field): unknown {
  if (field instanceof z.ZodDefault) return field.def.defaultValue;
  const inner = unwrapped(field);
  return inner && defaultOf(inner);
}

const isDictionary = (value: unknown) =>
  isJsonObject(value) && Object.values(value).every((member) => typeof member === "string");

function noted<F extends Field>(field: F, notes: FieldNotes): F {
  return field.meta({ ...notesOf(field), ...notes }) as F;
}

function bare(field: Field): Field {
  const inner = unwrapped(field);
  if (!inner || field instanceof z.ZodNullable) return field;
  return bare(inner).meta({ ...notesOf(field) });
}

function unwrapped(field: Field): Field | undefined {
  const wraps = field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable;
  return wraps ? (field.unwrap() as Field) : undefined;
}

function weak<T extends z.ZodType>(schema: T, read: (raw: unknown) => unknown, notes: FieldNotes) {
  return z.preprocess(read, schema).meta({ ...notes });
}
