import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DurationError,
  formatDuration,
  longestDuration,
  parseDuration,
  parseDurationMilliseconds,
} from "./duration.ts";

describe("parseDuration", () => {
  it.each<[unknown, number]>([
    ["", 0],
    [undefined, 0],
    [null, 0],
    [0, 0],
    ["0", 0],
    ["0s", 0],
    [90, 90],
    ["90", 90],
    [90n, 90],
    ["+90", 90],
    ["-90", -90],
    [-90, -90],
    ["1s", 1],
    ["1m", 60],
    ["1h", 3600],
    ["1h0m0s", 3600],
    ["1h30m", 5400],
    ["768h0m0s", 2764800],
    ["1.5h", 5400],
    [".5h", 1800],
    ["1.h", 3600],
    ["-1h30m", -5400],
    ["30d", 2592000],
    ["1d12h", 129600],
    ["1.5d", 129600],
    ["1h1h", 7200],
    ["1s1h", 3601],
    ["9223372036", longestDuration],
    ["9223372036.9s", longestDuration],
    ["-9223372036s", -longestDuration],
    [longestDuration, longestDuration],
    ["000000090", 90],
  ])("reads %o as %o seconds", (raw, seconds) => {
    expect(parseDuration(raw)).toBe(seconds);
  });

  it.each<[unknown, number]>([
    ["500ms", 0],
    ["999ms", 0],
    ["1999ms", 1],
    ["-1999ms", -1],
    ["1.9s", 1],
    [1.9, 1],
    [-1.9, -1],
    [-0.5, 0],
    ["1800.0", 1800],
    ["2us", 0],
    ["2µs", 0],
    ["2μs", 0],
    ["2000000000ns", 2],
  ])("cuts off what is finer than a second: %o is %o", (raw, seconds) => {
    expect(parseDuration(raw)).toBe(seconds);
  });

  const allowed = 'use seconds, such as 90, or numbers with the units d, h, m, s, ms, us, ns, such as "1h30m"';
  it.each<[unknown, string]>([
    ["soon", '"soon"'],
    ["1x", '"1x"'],
    ["1h30", '"1h30"'],
    ["1h 30m", '"1h 30m"'],
    [" 1h", '" 1h"'],
    ["h", '"h"'],
    [".", '"."'],
    [".s", '".s"'],
    ["-", '"-"'],
    ["+", '"+"'],
    ["--1s", '"--1s"'],
    ["1e3", '"1e3"'],
    ["1.2.3s", '"1.2.3s"'],
    ["0x10", '"0x10"'],
    ["1w", '"1w"'],
    ["1H", '"1H"'],
    ["١s", '"١s"'],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    [true, "true"],
    [[60], "a list"],
    [{ seconds: 60 }, "an object"],
    ["1".repeat(100), `"${"1".repeat(64)}…"`],
  ])("refuses %o", (raw, shown) => {
    expect(() => parseDuration(raw)).toThrow(new DurationError(`${shown} is not a duration: ${allowed}`));
  });

  it.each<[unknown, string]>([
    ["9223372037", '"9223372037"'],
    ["2562048h", '"2562048h"'],
    ["-106752d", '"-106752d"'],
    [1e300, "1e+300"],
    [10n ** 30n, "1000000000000000000000000000000"],
  ])("refuses %o, which would overflow elsewhere", (raw, shown) => {
    expect(() => parseDuration(raw)).toThrow(
      new DurationError(`${shown} is too long a duration: at most 9223372036 seconds, about 292 years`),
    );
  });

  it("never throws anything but DurationError, and never answers a fraction", () => {
    const unit = fc.constantFrom("d", "h", "m", "s", "ms", "us", "ns", ".", "-", "1", "9", "0", "x");
    const text = fc.oneof(
      fc.string(),
      fc.array(unit).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (raw) => {
        try {
          expect(Number.isSafeInteger(parseDuration(raw))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DurationError);
        }
      }),
    );
  });
});

describe("parseDurationMilliseconds", () => {
  it.each<[unknown, number]>([
    ["", 0],
    [2, 2000],
    ["2", 2000],
    [0.25, 250],
    [1.005, 1005],
    ["250ms", 250],
    ["1.5s", 1500],
    ["1500us", 1],
    ["5m", 300_000],
  ])("reads %o as %o", (raw, milliseconds) => {
    expect(parseDurationMilliseconds(raw)).toBe(milliseconds);
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0s"],
    [-0, "0s"],
    [1, "1s"],
    [59, "59s"],
    [60, "1m0s"],
    [90, "1m30s"],
    [3600, "1h0m0s"],
    [3661, "1h1m1s"],
    [2764800, "768h0m0s"],
    [-90, "-1m30s"],
    [1.5, "1.5s"],
    [0.25, "250ms"],
    [0.0015, "1.5ms"],
    [0.000002, "2µs"],
    [0.0000000015, "2ns"],
    [61.05, "1m1.05s"],
    [0.9999999999, "1s"],
    [-0.5, "-500ms"],
    [longestDuration, "2562047h47m16s"],
  ])("writes %o as %o", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it("is read back as it was", () => {
    fc.assert(
      fc.property(fc.integer({ min: -longestDuration, max: longestDuration }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (milliseconds) => {
        expect(parseDurationMilliseconds(formatDuration(milliseconds / 1000))).toBe(milliseconds);
      }),
    );
  });
});
