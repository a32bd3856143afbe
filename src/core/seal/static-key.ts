/** Reads the `seal "static"` stanza of a configuration: key ids, and keys given in place, by file or by environment. */
import { readFileSync } from "node:fs";
import type { Random } from "../../api/engine.ts";
import { keyCopy, keyFromText, keyLength, wipe } from "./key-material.ts";
import { type StaticKey, StaticSeal } from "./static-seal.ts";

export interface StaticSealSettings {
  readonly current_key_id: string;
  readonly current_key: string;
  readonly previous_key_id?: string | undefined;
  readonly previous_key?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** Where references point. */
export interface KeySources {
  readFile(path: string): Uint8Array;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const systemKeySources: KeySources = { readFile: (path) => readFileSync(path), environment: process.env };

/** A setting is wrong; says which, and never shows a part of the key. */
export class SealSettingsError extends Error {
  override readonly name = "SealSettingsError";
}

/** Undefined when the stanza is disabled. */
export function staticSeal(
  settings: StaticSealSettings,
  random: Random,
  sources: KeySources = systemKeySources,
): StaticSeal | undefined {
  if (settings.disabled) return undefined;
  const { current_key_id, current_key, previous_key_id, previous_key } = settings;
  const current = staticKey("current_key", current_key_id, current_key, sources);
  if (previous_key_id === undefined && previous_key === undefined) return new StaticSeal(random, current);
  const previous = staticKey("previous_key", previous_key_id, previous_key, sources);
  if (previous.id === current.id) {
    throw new SealSettingsError("previous_key_id must differ from current_key_id: a new key needs a new id");
  }
  return new StaticSeal(random, current, previous);
}

function staticKey(
  field: string,
  id: string | undefined,
  reference: string | undefined,
  sources: KeySources,
): StaticKey {
  if (id === undefined || id === "") throw new SealSettingsError(`the seal "static" needs ${field}_id`);
  if (reference === undefined || reference === "") throw new SealSettingsError(`the seal "static" needs ${field}`);
  if (reference.startsWith("file://")) {
    const path = reference.slice("file://".length);
    return { id, key: decodeKey(readKeyFile(field, path, sources), `${field}: the file ${JSON.stringify(path)}`) };
  }
  if (reference.startsWith("env://")) {
    const name = reference.slice("env://".length);
    const value = sources.environment[name];
    if (value === undefined || value === "") {
      throw new SealSettingsError(`${field}: the environment variable ${JSON.stringify(name)} is not set`);
    }
    return { id, key: decodeKey(Buffer.from(value), `${field}: the environment variable ${JSON.stringify(name)}`) };
  }
  return { id, key: decodeKey(Buffer.from(reference), `${field}: the value`) };
}

function readKeyFile(field: string, path: string, sources: KeySources): Uint8Array {
  try {
    return sources.readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SealSettingsError(`${field}: the file ${JSON.stringify(path)} cannot be read: ${reason}`, { cause });
  }
}

const hexKey = /^[0-9a-fA-F]{64}$/;
const base64Key = /^[A-Za-z0-9+/_-]{43}=?$/;

function decodeKey(bytes: Uint8Array, where: string): Buffer {
  const key = decoded(bytes);
  wipe(bytes);
  if (key !== undefined) return key;
  throw new SealSettingsError(
    `${where} must be a key of ${keyLength} bytes: raw, or as 64 hexadecimal digits, or as base64; it has ${bytes.length} bytes`,
  );
}

function decoded(bytes: Uint8Array): Buffer | undefined {
  if (bytes.length === keyLength) return keyCopy(bytes);
  const trimmed = withoutLineEnd(bytes);
  if (trimmed.length === keyLength) return keyCopy(trimmed);
  if (trimmed.length > 2 * keyLength) return undefined;
  const text = Buffer.from(trimmed).toString("latin1");
  if (hexKey.test(text)) return keyFromText(text, "hex");
  if (base64Key.test(text)) return keyFromText(text, "base64");
  return undefined;
}

/** Editors and `echo` end files with a line break. */
function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  if (bytes[end - 1] === 0x0a) end -= 1;
  if (end < bytes.length && bytes[end - 1] === 0x0d) end -= 1;
  return bytes.subarray(0, end);
}
