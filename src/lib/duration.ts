/**
 * Durations as people write them (`90`, `"1h30m"`, `"30d"`) and as Go programs print them (`1h0m0s`).
 * API fields hold whole seconds; what is finer is cut off, toward zero.
 */

/** The longest duration in seconds, either side of zero: what 64 bits of nanoseconds hold in the programs we talk to. */
export const longestDuration = 9_223_372_036;

/** No sensible duration is longer, and big-integer arithmetic on a longer text would cost more than linear time. */
const longestText = 64;

const unitNanoseconds = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n], // the micro sign
  ["\u03bcs", 1_000n], // the Greek letter, which looks the same
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
  ["d", 86_400_000_000_000n],
]);

export class DurationError extends Error {
  override readonly name = "DurationError";
}

/** Whole seconds. Nothing (`undefined`, `null`, `""`) is 0. Throws `DurationError`. */
export function parseDuration(raw: unknown): number {
  return Number(parseNanoseconds(raw) / 1_000_000_000n);
}

/** Whole milliseconds, for timeouts; a bare number still means seconds. Throws `DurationError`. */
export function parseDurationMilliseconds(raw: unknown): number {
  return Number(parseNanoseconds(raw) / 1_000_000n);
}

function parseNanoseconds(raw: unknown): bigint {
  if (raw === undefined || raw === null || raw === "") return 0n;
  if (typeof raw === "bigint") return bounded(raw * 1_000_000_000n, raw);
  if (typeof raw === "number") return numberNanoseconds(raw);
  if (typeof raw !== "string" || raw.length > longestText) throw notDuration(raw);
  return textNanoseconds(raw);
}

function numberNanoseconds(seconds: number): bigint {
  if (!Number.isFinite(seconds)) throw notDuration(seconds);
  if (Math.abs(seconds) > longestDuration) throw tooLong(seconds);
  const whole = Math.trunc(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(Math.round((seconds - whole) * 1e9));
}

function textNanoseconds(text: string): bigint {
  const negative = text.startsWith("-");
  let at = negative || text.startsWith("+") ? 1 : 0;
  if (at === text.length) throw notDuration(text);
  let total = 0n;
  for (let first = true; at < text.length; first = false) {
    const point = skipDigits(text, at);
    const amountEnd = text[point] === "." ? skipDigits(text, point + 1) : point;
    const unitEnd = skipUnit(text, amountEnd);
    const bareSeconds = first && amountEnd === text.length;
    const unit = unitNanoseconds.get(bareSeconds ? "s" : text.slice(amountEnd, unitEnd));
    const whole = text.slice(at, point);
    const fraction = text.slice(point + 1, amountEnd);
    if (unit === undefined || (whole === "" && fraction === "")) throw notDuration(text);
    total += BigInt(whole) * unit + (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
    at = unitEnd;
  }
  return bounded(negative ? -total : total, text);
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function skipUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "." && !isDigit(text.charCodeAt(at))) at++;
  return at;
}

const isDigit = (code: number) => code >= 48 && code <= 57;

function bounded(nanoseconds: bigint, raw: unknown): bigint {
  const seconds = nanoseconds / 1_000_000_000n;
  if (seconds > longestDuration || seconds < -longestDuration) throw tooLong(raw);
  return nanoseconds;
}

function notDuration(raw: unknown): DurationError {
  return new DurationError(
    `${shown(raw)} is not a duration: use seconds, such as 90, or numbers with the units d, h, m, s, ms, us, ns, such as "1h30m"`,
  );
}

function tooLong(raw: unknown): DurationError {
  return new DurationError(`${shown(raw)} is too long a duration: at most ${longestDuration} seconds, about 292 years`);
}

function shown(raw: unknown): string {
  if (typeof raw === "string") {
    return JSON.stringify(raw.length > longestText ? `${raw.slice(0, longestText)}…` : raw);
  }
  if (Array.isArray(raw)) return "a list";
  return typeof raw === "object" || typeof raw === "function" ? "an object" : String(raw);
}

/** As Go prints it: `1h0m0s`, `1m30s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? "-" : "";
  let whole = Math.trunc(Math.abs(seconds));
  let nanoseconds = Math.round((Math.abs(seconds) - whole) * 1e9);
  if (nanoseconds === 1e9) {
    whole++;
    nanoseconds = 0;
  }
  if (whole === 0) return nanoseconds === 0 ? "0s" : sign + formatFraction(nanoseconds);
  const hours = Math.trunc(whole / 3600);
  const minutes = Math.trunc(whole / 60) % 60;
  const rest = `${decimal(whole % 60, nanoseconds, 9)}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${sign}${minutes}m${rest}` : sign + rest;
}

function formatFraction(nanoseconds: number): string {
  if (nanoseconds < 1_000) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000) return `${decimal(Math.trunc(nanoseconds / 1_000), nanoseconds % 1_000, 3)}\u00b5s`;
  return `${decimal(Math.trunc(nanoseconds / 1_000_000), nanoseconds % 1_000_000, 6)}ms`;
}

function decimal(whole: number, fraction: number, digits: number): string {
  if (fraction === 0) return String(whole);
  const text = String(fraction).padStart(digits, "0");
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return `${whole}.${text.slice(0, end)}`;
}
