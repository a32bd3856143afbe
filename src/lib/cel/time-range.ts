/** The moments and spans that there are: years 1 to 9999, and what a 64-bit count of nanoseconds holds. */
import { EvaluationError } from "./errors.ts";
import { Duration, maximumInt, minimumInt, Timestamp } from "./values.ts";

export const nanosecondsPerSecond = 1_000_000_000n;
const earliest = -62_135_596_800n * nanosecondsPerSecond;
const latest = 253_402_300_800n * nanosecondsPerSecond - 1n;

export function timestampOf(nanoseconds: bigint): Timestamp {
  if (nanoseconds < earliest || nanoseconds > latest) throw new EvaluationError("timestamp overflow");
  return new Timestamp(nanoseconds);
}

export function durationOf(nanoseconds: bigint): Duration {
  if (nanoseconds < minimumInt || nanoseconds > maximumInt) throw new EvaluationError("duration overflow");
  return new Duration(nanoseconds);
}
