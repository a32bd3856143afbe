import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DerError } from "./der-error.ts";
import { Fields } from "./fields.ts";
import {
  bitStringBytesOf,
  booleanOf,
  eachElement,
  integerOf,
  membersOf,
  namedBitsOf,
  objectIdentifierOf,
  readElement,
  readElements,
  smallIntegerOf,
} from "./reader.ts";
import { tags } from "./tags.ts";
import { boolean, element, elementHeader, integer, namedBits, sequence, setOf } from "./writer.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");
const hex = (value: Uint8Array) => Buffer.from(value).toString("hex");

test("a sequence and its members", () => {
  const members = membersOf(readElement(bytes("30 07 02 01 05 04 02 ab cd")));
  expect(members.map(({ tag, content }) => [tag, hex(content)])).toEqual([
    [2, "05"],
    [4, "abcd"],
  ]);
  expect(hex(members[1]!.whole)).toBe("0402abcd");
  expect(readElements(bytes(""))).toEqual([]);
});

test.each([
  ["7f", 127],
  ["81 80", 128],
  ["81 ff", 255],
  ["82 01 00", 256],
  ["83 01 00 00", 65_536],
])("the length %s is %i, read and written", (text, length) => {
  const content = Buffer.alloc(length, 7);
  const whole = Buffer.concat([bytes(`04 ${text}`), content]);
  expect(readElement(whole).content).toHaveLength(length);
  expect(hex(element(tags.octetString, content))).toBe(hex(whole));
  expect(hex(elementHeader(tags.octetString, length))).toBe(hex(bytes(`04 ${text}`)));
});

describe("refuses", () => {
  test.each([
    ["nothing", ""],
    ["a tag alone", "30"],
    ["too few bytes", "04 03 01 02"],
    ["too few bytes of a length", "04 82 01"],
    ["bytes behind the end", "04 01 01 00"],
    ["an indefinite length", "30 80 00 00"],
    ["a huge length", "04 85 00 00 00 00 01 00"],
    ["a length in two bytes that fits one", "04 81 01 00"],
    ["a length with a zero in front", "04 82 00 80"],
    ["a large tag", "1f 81 01 00"],
  ])("%s", (_, text) => {
    expect(() => readElement(bytes(text))).toThrow(DerError);
  });

  test.each([
    ["another kind than a sequence", () => membersOf(readElement(bytes("04 00")))],
    ["another kind than an integer", () => integerOf(readElement(bytes("04 01 00")))],
    ["an integer without bytes", () => integerOf(readElement(bytes("02 00")))],
    ["an integer with a needless 00", () => integerOf(readElement(bytes("02 02 00 7f")))],
    ["an integer with a needless ff", () => integerOf(readElement(bytes("02 02 ff 80")))],
    ["an integer of absurd size", () => integerOf(readElement(element(2, Buffer.alloc(5000, 1))))],
    ["a negative number where a count is meant", () => smallIntegerOf(readElement(bytes("02 01 ff")))],
    ["a boolean that is neither 00 nor ff", () => booleanOf(readElement(bytes("01 01 01")))],
    ["bits that are no whole bytes", () => bitStringBytesOf(readElement(bytes("03 02 01 80")))],
    ["bits that say nothing of their end", () => namedBitsOf(readElement(bytes("03 00")))],
    ["unused bits that are set", () => namedBitsOf(readElement(bytes("03 02 07 81")))],
    ["what is not there", () => objectIdentifierOf(undefined)],
  ])("%s", (_, read) => {
    expect(read).toThrow(DerError);
  });
});

test.each([
  ["02 01 00", 0n],
  ["02 01 7f", 127n],
  ["02 02 00 80", 128n],
  ["02 01 80", -128n],
  ["02 02 ff 7f", -129n],
  ["02 09 00 ff ff ff ff ff ff ff ff", 18_446_744_073_709_551_615n],
])("the integer %s is %s, read and written", (text, value) => {
  expect(integerOf(readElement(bytes(text)))).toBe(value);
  expect(hex(integer(value))).toBe(hex(bytes(text)));
});

test.each([
  ["03 01 00", []],
  ["03 02 07 80", [0]],
  ["03 02 01 06", [5, 6]],
  ["03 03 07 00 80", [8]],
])("the named bits %s are %j, read and written", (text, bits: number[]) => {
  expect(namedBitsOf(readElement(bytes(text)))).toEqual(bits);
  expect(hex(namedBits(Array.from({ length: 9 }, (_, bit) => bits.includes(bit))))).toBe(hex(bytes(text)));
});

test("the members of a set are sorted", () => {
  expect(hex(setOf(integer(3), integer(1), integer(2)))).toBe("3109020101020102020103");
});

test("fields in their order, and nothing behind them", () => {
  const fields = new Fields(readElement(sequence(integer(1), boolean(true))));
  expect(fields.optional(tags.octetString)).toBeUndefined();
  expect(integerOf(fields.optional(tags.integer))).toBe(1n);
  expect(() => fields.end()).toThrow(DerError);
  expect(() => fields.required(tags.integer)).toThrow(DerError);
  expect(fields.isAtEnd).toBe(true);
  expect(() => fields.next()).toThrow("a structure ends too early");
});

test("integers survive the way there and back", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (value) => {
      expect(integerOf(readElement(integer(value)))).toBe(value);
    }),
  );
});

test("any bytes are read, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (raw) => {
      try {
        const total = readElements(raw).reduce((sum, { whole }) => sum + whole.length, 0);
        expect(total).toBe(raw.length);
        expect([...eachElement(raw)]).toEqual(readElements(raw));
      } catch (error) {
        expect(error).toBeInstanceOf(DerError);
      }
    }),
  );
});
