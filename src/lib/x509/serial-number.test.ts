import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { integer } from "../der/writer.ts";
import { parseSerialText, randomSerial, serialText } from "./serial-number.ts";

test.each([
  [0n, "00"],
  [1n, "01"],
  [0x0a1bn, "0a:1b"],
  [0xff00n, "ff:00"],
  [-255n, "ff"],
])("%s is %s", (serial, text) => {
  expect(serialText(serial)).toBe(text);
});

test.each([
  ["0a:1b", 0x0a1bn],
  ["0A-1B", 0x0a1bn],
  [" 0a1b ", 0x0a1bn],
  ["a:b", 0x0a0bn],
  ["", undefined],
  ["0a::1b", undefined],
  ["0a:1b:", undefined],
  ["123:4", undefined],
  ["xy", undefined],
  ["0x12", undefined],
  ["a".repeat(300), undefined],
])("%j is read as %s", (text, serial) => {
  expect(parseSerialText(text)).toBe(serial);
});

test("random ones are positive and have at most 20 bytes", () => {
  for (let round = 0; round < 200; round++) {
    const serial = randomSerial(randomBytes);
    expect(serial > 0n && serial < 2n ** 159n).toBe(true);
    expect(integer(serial).length).toBeLessThanOrEqual(22);
  }
  expect(randomSerial((size) => Buffer.alloc(size, 0xff))).toBe(2n ** 159n - 1n);
  expect(randomSerial((size) => Buffer.alloc(size))).toBe(1n);
});

test("the way there and back", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n }), (serial) => {
      expect(parseSerialText(serialText(serial))).toBe(serial);
    }),
  );
});
