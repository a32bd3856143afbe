import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DerError, integerOf, membersOf, objectIdentifierOf, readElement, readElements, stringOf } from "./der.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

test("a sequence and its members", () => {
  const members = membersOf(readElement(bytes("30 07 02 01 05 04 02 ab cd")));
  expect(members.map(({ tag, content }) => [tag, Buffer.from(content).toString("hex")])).toEqual([
    [2, "05"],
    [4, "abcd"],
  ]);
  expect(Buffer.from(members[1]!.whole).toString("hex")).toBe("0402abcd");
  expect(readElements(bytes(""))).toEqual([]);
});

test.each([
  ["7f", 127],
  ["81 80", 128],
  ["81 ff", 255],
  ["82 01 00", 256],
  ["83 01 00 00", 65_536],
])("the length %s is %i", (hex, length) => {
  const element = readElement(Buffer.concat([bytes(`04 ${hex}`), Buffer.alloc(length, 7)]));
  expect(element.content).toHaveLength(length);
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
    ["a large tag", "1f 81 01 00"],
  ])("%s", (_, hex) => {
    expect(() => readElement(bytes(hex))).toThrow(DerError);
  });

  test("another kind than was expected", () => {
    expect(() => membersOf(readElement(bytes("04 00")))).toThrow(DerError);
    expect(() => integerOf(readElement(bytes("04 01 00")))).toThrow(DerError);
    expect(() => integerOf(readElement(bytes("02 00")))).toThrow(DerError);
    expect(() => objectIdentifierOf(undefined)).toThrow(DerError);
  });
});

test.each([
  ["02 01 00", 0n],
  ["02 01 7f", 127n],
  ["02 02 00 80", 128n],
  ["02 01 80", -128n],
  ["02 09 00 ff ff ff ff ff ff ff ff", 18_446_744_073_709_551_615n],
])("the integer %s is %s", (hex, value) => {
  expect(integerOf(readElement(bytes(hex)))).toBe(value);
});

test.each([
  ["06 03 55 04 03", "2.5.4.3"],
  ["06 09 2a 86 48 86 f7 0d 01 01 0b", "1.2.840.113549.1.1.11"],
  ["06 01 27", "0.39"],
  ["06 02 88 37", "2.999"],
  ["06 0a 83 ff ff ff ff ff ff ff ff 7f", "2.36893488147419103151"],
])("the object identifier %s is %s", (hex, value) => {
  expect(objectIdentifierOf(readElement(bytes(hex)))).toBe(value);
});

test.each([
  ["0c 03 c3 a9 61", "éa"],
  ["13 02 61 62", "ab"],
  ["16 02 61 62", "ab"],
  ["1e 04 00 61 20 ac", "a€"],
  ["1e 03 00 61 20", undefined],
  ["04 02 61 62", undefined],
])("the text of %s is %j", (hex, value) => {
  expect(stringOf(readElement(bytes(hex)))).toBe(value);
});

test("any bytes are read, or refused with a reason", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (raw) => {
      try {
        const total = readElements(raw).reduce((sum, { whole }) => sum + whole.length, 0);
        expect(total).toBe(raw.length);
      } catch (error) {
        expect(error).toBeInstanceOf(DerError);
      }
    }),
  );
});
