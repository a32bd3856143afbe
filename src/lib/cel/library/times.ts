/** What a moment or a span says of itself: `now.getHours("Europe/Vienna")`. */
import { type Overload, overload } from "../declarations.ts";
import { EvaluationError } from "../errors.ts";
import { split } from "../time-text.ts";
import type { Duration, Timestamp } from "../values.ts";

/** A moment on the clock and calendar of some zone. */
interface Calendar {
  /** Its fields, read as UTC, are those of the zone. */
  readonly local: Date;
  readonly nanoseconds: bigint;
}

const accessors: Readonly<Record<string, (calendar: Calendar) => number>> = {
  getFullYear: ({ local }) => local.getUTCFullYear(),
  getMonth: ({ local }) => local.getUTCMonth(),
  getDayOfYear: ({ local }) => dayOfYear(local),
  getDayOfMonth: ({ local }) => local.getUTCDate() - 1,
  getDate: ({ local }) => local.getUTCDate(),
  getDayOfWeek: ({ local }) => local.getUTCDay(),
  getHours: ({ local }) => local.getUTCHours(),
  getMinutes: ({ local }) => local.getUTCMinutes(),
  getSeconds: ({ local }) => local.getUTCSeconds(),
  getMilliseconds: ({ nanoseconds }) => Number(nanoseconds / 1_000_000n),
};

const ids: Readonly<Record<string, string>> = {
  getFullYear: "timestamp_to_year",
  getMonth: "timestamp_to_month",
  getDayOfYear: "timestamp_to_day_of_year",
  getDayOfMonth: "timestamp_to_day_of_month",
  getDate: "timestamp_to_day_of_month_1_based",
  getDayOfWeek: "timestamp_to_day_of_week",
  getHours: "timestamp_to_hours",
  getMinutes: "timestamp_to_minutes",
  getSeconds: "timestamp_to_seconds",
  getMilliseconds: "timestamp_to_milliseconds",
};

function dayOfYear(date: Date): number {
  const first = new Date(date);
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / 86_400_000);
}

function calendar(moment: Timestamp, zone: string): Calendar {
  const { seconds, fraction } = split(moment.nanoseconds);
  const utc = new Date(Number(seconds) * 1000);
  return {
    local: zone === "UTC" || zone === "" ? utc : new Date(utc.getTime() + zoneOffset(utc, zone)),
    nanoseconds: fraction,
  };
}

const fixedOffset = /^([+-]?)(\d{1,2}):(\d{1,2})$/;

/** Milliseconds east of Greenwich at that moment. */
function zoneOffset(utc: Date, zone: string): number {
  const fixed = fixedOffset.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return (fixed[1] === "-" ? -minutes : minutes) * 60_000;
  }
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(utc)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const year = parts.get("year")!;
  const local = new Date(utc);
  local.setUTCFullYear(year, parts.get("month")! - 1, parts.get("day")!);
  local.setUTCHours(parts.get("hour")!, parts.get("minute")!, parts.get("second")!, 0);
  return local.getTime() - (utc.getTime() - utc.getUTCMilliseconds());
}

const formats = new Map<string, Intl.DateTimeFormat>();
const maximumFormats = 100;

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  if (formats.size >= maximumFormats) formats.clear();
  try {
    const made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, made);
    return made;
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}

const zoneCost = 40;

const moments: Overload[] = Object.entries(accessors).flatMap(([name, read]) => [
  overload(ids[name]!, `timestamp.${name}() -> int`, (_, moment) => BigInt(read(calendar(moment, "UTC")))),
  overload(
    name === "getSeconds" ? "timestamp_to_seconds_tz" : `${ids[name]}_with_tz`,
    `timestamp.${name}(string) -> int`,
    (meter, moment, zone) => {
      meter.charge(zoneCost);
      return BigInt(read(calendar(moment, zone)));
    },
  ),
]);

const span = (name: string, id: string, nanoseconds: bigint): Overload =>
  overload(id, `duration.${name}() -> int`, (_, value: Duration) => value.nanoseconds / nanoseconds);

export const timeOverloads: Overload[] = [
  ...moments,
  span("getHours", "duration_to_hours", 3_600_000_000_000n),
  span("getMinutes", "duration_to_minutes", 60_000_000_000n),
  span("getSeconds", "duration_to_seconds", 1_000_000_000n),
  overload("duration_to_milliseconds", "duration.getMilliseconds() -> int", (_, value: Duration) => {
    return (value.nanoseconds / 1_000_000n) % 1000n;
  }),
];
