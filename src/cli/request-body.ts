/** Makes a request's body of the flags that stood on the command line, so that the server decides about the others. */
import { formatDuration } from "../lib/duration.ts";
import type { Flags, FlagValues } from "./flags.ts";

/** `names` has the fields whose name is not the flag's with underscores. */
export function bodyOf<Declared extends Flags>(
  declared: Declared,
  values: FlagValues<Declared>,
  given: ReadonlySet<string>,
  names: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(declared)) {
    if (!given.has(name)) continue;
    const isDuration = declared[name]!.placeholder === "duration";
    body[names[name] ?? name.replaceAll("-", "_")] = wireValue(values[name], isDuration);
  }
  return body;
}

function wireValue(value: unknown, isDuration: boolean): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  return isDuration ? formatDuration(Number(value)) : value;
}
