import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DerError } from "./der-error.ts";
import { readElement } from "./reader.ts";
import { tags } from "./tags.ts";
import { generalizedTime, time, timeOf } from "./time.ts";
import { element } from "./writer.ts";

const written = (bytes: Uint8Array) => Buffer.from(readElement(bytes).content).toString("latin1");

test.each([
  ["1949-12-31T23:59:59Z", "19491231235959Z"],
  ["1950-01-01T00:00:00Z", "500101000000Z"],
  ["1999-12-31T23:59:59.900Z", "991231235959Z"],
  ["2049-12-31T23:59:59Z", "491231235959Z"],
  ["2050-01-01T00:00:00Z", "20500101000000Z"],
  ["9999-12-31T23:59:59Z", "99991231235959Z"],
])("%s is %s", (iso, text) => {
  const date = new Date(iso);
  expect(written(time(date))).toBe(text);
  expect(timeOf(readElement(time(date))).getTime()).toBe(Math.floor(date.getTime() / 1000) * 1000);
});

test("always four digits where the place wants them", () => {
  expect(written(generalizedTime(new Date("2026-01-02T03:04:05Z")))).toBe("20260102030405Z");
});

test("no year beyond 9999, and no date that is none", () => {
  expect(() => time(new Date("+010000-01-01T00:00:00Z"))).toThrow(DerError);
  expect(() => time(new Date(Number.NaN))).toThrow(DerError);
});

describe("refuses", () => {
  test.each([
    ["no seconds", tags.utcTime, "2601020304Z"],
    ["another zone", tags.utcTime, "260102030405+0100"],
    ["fractions", tags.generalizedTime, "20260102030405.5Z"],
    ["letters", tags.generalizedTime, "2026010203040xZ"],
    ["February 30", tags.utcTime, "260230000000Z"],
    ["hour 24", tags.utcTime, "260102240000Z"],
    ["month 13", tags.generalizedTime, "20261301000000Z"],
    ["another type", tags.utf8String, "260102030405Z"],
  ])("%s", (_, tag, text) => {
    expect(() => timeOf(readElement(element(tag, Buffer.from(text))))).toThrow(DerError);
  });
});

test("whole seconds survive the way there and back", () => {
  const dates = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, (date) => {
      date.setUTCMilliseconds(0);
      expect(timeOf(readElement(time(date)))).toEqual(date);
      expect(timeOf(readElement(generalizedTime(date)))).toEqual(date);
    }),
  );
});
