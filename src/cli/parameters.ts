/** Checks positional arguments against a command's `parameters`, such as `PATH [K=V...]`. */
import { UsageError } from "./failure.ts";

export function requireArguments(parameters: string, given: readonly string[]): void {
  const names = parameters.match(/\[[^\]]*\]|[^\s[]+/g) ?? [];
  const least = names.filter((name) => !name.startsWith("[")).length;
  const most = parameters.includes("...") ? Number.POSITIVE_INFINITY : names.length;
  if (given.length < least) throw new UsageError(`not enough arguments: expected ${parameters}, got ${given.length}`);
  if (given.length > most) {
    throw new UsageError(`too many arguments: expected ${parameters || "none"}, got ${given.length}`);
  }
}
