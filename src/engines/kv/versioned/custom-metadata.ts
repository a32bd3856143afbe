/** What people may note on a secret: a few short, printable strings. */
import { readText } from "../../../api/coerce.ts";
import { invalidRequest } from "../../../api/errors.ts";
import type { JsonObject } from "../../../lib/json.ts";

export type CustomMetadata = Readonly<Record<string, string>>;

const mostEntries = 64;
const longestName = 128;
const longestValue = 512;

/** Letters, marks, numbers, punctuation, symbols, and the plain space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

export function checkCustomMetadata(metadata: CustomMetadata): void {
  const names = Object.keys(metadata);
  if (names.length > mostEntries) refuse(`at most ${mostEntries} keys are allowed, and there are ${names.length}`);
  for (const name of names) {
    const shown = JSON.stringify(name.length > longestName ? `${name.slice(0, longestName)}…` : name);
    const value = metadata[name] ?? "";
    checkLength(`key ${shown}`, name, longestName);
    checkLength(`the value of ${shown}`, value, longestValue);
    if (!printable.test(name)) refuse(`key ${shown} contains characters that cannot be printed`);
    if (!printable.test(value)) refuse(`the value of ${shown} contains characters that cannot be printed`);
  }
}

/** What a merge patch makes of it: null takes a key away. */
export function patchCustomMetadata(metadata: CustomMetadata | null, patch: Readonly<JsonObject>): CustomMetadata {
  const merged: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(metadata ?? {})) merged[name] = value;
  for (const [name, raw] of Object.entries(patch)) {
    const value = readText(raw);
    if (value === null) delete merged[name];
    else if (typeof value === "string") merged[name] = value;
    else refuse(`the value of ${JSON.stringify(name)} must be a string, or null to remove the key`);
  }
  return merged;
}

function checkLength(what: string, text: string, longest: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > 0 && bytes <= longest) return;
  refuse(`${what} is ${bytes} bytes long, and must be between 1 and ${longest}`);
}

function refuse(reason: string): never {
  throw invalidRequest(`custom_metadata validation failed: ${reason}`);
}
