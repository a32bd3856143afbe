/** Moments and spans as text: RFC 3339, and Go's way of writing durations. */
import { nanosecondsPerSecond } from "./time-range.ts";
import type { Duration, Timestamp } from "./values.ts";

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Nanoseconds since 1970, or nothing if the text is no moment. */
export function parseTimestamp(text: string): bigint | undefined {
  const match = text.length <= 64 ? rfc3339.exec(text) : null;
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, ...number[]];
  const date = new Date(0);
  date.setUTCFullYear(year, month! - 1, day);
  date.setUTCHours(hour!, minute, second);
  const isReal = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day && hour! < 24 && minute! < 60;
  if (!isReal || second! > 59) return undefined;
  const fraction = BigInt((match[7] ?? "").padEnd(9, "0"));
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === "-" ? -1 : 1);
  const seconds = BigInt(date.getTime() / 1000) - BigInt(offset * 60);
  return seconds * nanosecondsPerSecond + fraction;
}

export function timestampText({ nanoseconds }: Timestamp): string {
  const { seconds, fraction } = split(nanoseconds);
  const date = new Date(Number(seconds) * 1000).toISOString();
  return `${date.slice(0, 19)}${fractionText(fraction)}Z`;
}

/** Rounded down, so that the fraction is never negative. */
export function split(nanoseconds: bigint): { seconds: bigint; fraction: bigint } {
  const fraction = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  return { seconds: (nanoseconds - fraction) / nanosecondsPerSecond, fraction };
}

function fractionText(fraction: bigint): string {
  return fraction === 0n ? "" : `.${fraction.toString().padStart(9, "0").replace(/0+$/, "")}`;
}

const units = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", nanosecondsPerSecond],
  ["m", 60n * nanosecondsPerSecond],
  ["h", 3_600n * nanosecondsPerSecond],
]);

const durationPart = /(\d{0,19})(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Nanoseconds, or nothing if the text is no duration such as `1h30m`, `-1.5s` or `0`. */
export function parseDuration(text: string): bigint | undefined {
  const isNegative = text.startsWith("-");
  const from = isNegative || text.startsWith("+") ? 1 : 0;
  if (text.slice(from) === "0") return 0n;
  let total = 0n;
  let at = from;
  do {
    durationPart.lastIndex = at;
    const match = durationPart.exec(text);
    if (match === null || (match[1] === "" && (match[2] ?? "") === "")) return undefined;
    const unit = units.get(match[3]!)!;
    const digits = (match[2] ?? "").slice(0, 18);
    const fraction = digits === "" ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
    total += BigInt(match[1] || 0) * unit + fraction;
    at = durationPart.lastIndex;
  } while (at < text.length);
  return isNegative ? -total : total;
}

/** In seconds, as protocol buffers write them in JSON. */
export function durationText({ nanoseconds }: Duration): string {
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const { seconds, fraction } = split(magnitude);
  return `${nanoseconds < 0n ? "-" : ""}${seconds}${fractionText(fraction)}s`;
}
