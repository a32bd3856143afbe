/** Values as JSON, for people to read: integers keep all their digits, and what JSON lacks is written as text. */

import { keyText } from "./access.ts";
import { Message } from "./message.ts";
import { doubleText } from "./number-text.ts";
import { durationText, timestampText } from "./time-text.ts";
import { Duration, isList, isMap, mapEntries, Optional, Timestamp, TypeValue, Uint, type Value } from "./values.ts";

export function valueText(value: Value, indent = ""): string {
  const inner = `${indent}  `;
  if (isList(value))
    return bracketed(
      "[",
      value.map((each) => valueText(each, inner)),
      "]",
      indent,
    );
  if (value instanceof Message) return fieldsText(value.fields, indent);
  if (isMap(value))
    return fieldsText(
      [...mapEntries(value)].map(([key, each]) => [keyText(key), each]),
      indent,
    );
  if (value instanceof Optional) return value.value === undefined ? "null" : valueText(value.value, indent);
  return simpleText(value);
}

function fieldsText(fields: Iterable<readonly [string, Value]>, indent: string): string {
  const lines = [...fields].map(([key, each]) => `${JSON.stringify(key)}: ${valueText(each, `${indent}  `)}`);
  return bracketed("{", lines, "}", indent);
}

function bracketed(opening: string, lines: readonly string[], closing: string, indent: string): string {
  if (lines.length === 0) return opening + closing;
  return `${opening}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${closing}`;
}

function simpleText(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return JSON.stringify(timestampText(value));
  if (value instanceof Duration) return JSON.stringify(durationText(value));
  if (value instanceof TypeValue) return JSON.stringify(value.name);
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : JSON.stringify(doubleText(value));
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
