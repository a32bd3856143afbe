/** `encode_json` and `decode_json`, as OpenBao's roles have them, with their ways of saying no: the value `false`. */
import { type Library, overload } from "../declarations.ts";
import type { Meter } from "../limits.ts";
import { Message } from "../message.ts";
import { timestampText } from "../time-text.ts";
import { CelMap, Duration, isList, isMap, mapEntries, Special, Timestamp, Uint, type Value } from "../values.ts";

/** The value cannot be encoded. */
const refused = Symbol("refused");

function encodeJson(meter: Meter, value: Value): Value {
  if (!isMap(value)) return false;
  try {
    const text = objectText(mapEntries(value));
    meter.chargeText(text.length);
    return text;
  } catch (thrown) {
    if (thrown === refused) return false;
    throw thrown;
  }
}

function objectText(entries: Iterable<readonly [unknown, Value]>): string {
  const pairs = [...entries].map(([key, value]) => {
    if (typeof key !== "string") throw refused;
    return [key, `${quoted(key)}:${jsonText(value)}`] as const;
  });
  // By bytes, so that everybody gets the same text.
  pairs.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return `{${pairs.map(([, text]) => text).join(",")}}`;
}

function jsonText(value: Value): string {
  // Not a choice of ours: whoever compares such texts relies on it.
  if (value === null) return "0";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw refused;
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return quoted(Buffer.from(value).toString("base64"));
  if (value instanceof Timestamp) return quoted(timestampText(value));
  if (value instanceof Duration) return String(value.nanoseconds);
  if (value instanceof Message) return "{}";
  if (isList(value)) return `[${value.map(jsonText).join(",")}]`;
  // A map that the program wrote out may stand at the top only.
  if (value instanceof CelMap || value instanceof Special) throw refused;
  return objectText(Object.entries(value));
}

const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function decodeJson(meter: Meter, text: string): Value {
  meter.chargeText(text.length);
  meter.charge(text.length / 8);
  try {
    return JSON.parse(text) as Value;
  } catch {
    return false;
  }
}

export const jsonLibrary: Library = {
  overloads: [
    overload("encode_json", "encode_json(dyn) -> string", encodeJson),
    overload("decode_json", "decode_json(string) -> dyn", decodeJson),
  ],
};
