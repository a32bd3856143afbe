/** Limits of what may be noted on entities, groups and aliases. */
import { invalidRequest } from "../api/errors.ts";

export type Metadata = Readonly<Record<string, string>>;

const mostPairs = 64;
const longestKey = 128;
const longestValue = 512;

/** Letters, marks, numbers, punctuation, symbols, and the plain space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/** What an administrator notes on an entity or a group. */
export function checkMetadata(metadata: Metadata): void {
  checkPairs("metadata", metadata, 0);
}

/** What an administrator notes on an alias. */
export function checkCustomMetadata(metadata: Metadata): void {
  checkPairs("custom_metadata", metadata, 1);
  for (const [key, value] of Object.entries(metadata)) {
    if (printable.test(key) && printable.test(value)) continue;
    refuse("custom_metadata", `${JSON.stringify(key)} or its value contains characters that cannot be printed`);
  }
}

export function sameMetadata(one: Metadata, other: Metadata): boolean {
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && one[key] === other[key]);
}

function checkPairs(field: string, metadata: Metadata, shortestValue: number): void {
  const pairs = Object.entries(metadata);
  if (pairs.length > mostPairs) refuse(field, `at most ${mostPairs} keys are allowed, and there are ${pairs.length}`);
  for (const [key, value] of pairs) {
    const shown = JSON.stringify(key.length > longestKey ? `${key.slice(0, longestKey)}…` : key);
    checkLength(field, `key ${shown}`, key, 1, longestKey);
    checkLength(field, `the value of ${shown}`, value, shortestValue, longestValue);
  }
}

function checkLength(field: string, what: string, text: string, shortest: number, longest: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes >= shortest && bytes <= longest) return;
  refuse(field, `${what} is ${bytes} bytes long, and must be between ${shortest} and ${longest}`);
}

function refuse(field: string, reason: string): never {
  throw invalidRequest(`${field} validation failed: ${reason}`);
}
