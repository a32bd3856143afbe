import { expect, test } from "vitest";
import { DerError } from "./der-error.ts";
import { readElement } from "./reader.ts";
import { asciiOf, strictStringOf, stringOf } from "./text.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

test.each([
  ["0c 03 c3 a9 61", "éa"],
  ["13 02 61 62", "ab"],
  ["14 01 e9", "é"],
  ["16 02 61 62", "ab"],
  ["1e 04 00 61 20 ac", "a€"],
])("the text of %s is %j", (hex, text) => {
  expect(stringOf(readElement(bytes(hex)))).toBe(text);
  expect(strictStringOf(readElement(bytes(hex)))).toBe(text);
});

test.each([
  ["half a character", "1e 03 00 61 20", undefined],
  ["no text at all", "04 02 61 62", undefined],
  ["broken UTF-8", "0c 01 c3", "\ufffd"],
  ["a printable string that is not", "13 01 e9", "é"],
])("%s: read loosely if possible, refused strictly", (_, hex, text) => {
  expect(stringOf(readElement(bytes(hex)))).toBe(text);
  expect(() => strictStringOf(readElement(bytes(hex)))).toThrow(DerError);
});

test("ASCII and nothing else", () => {
  expect(asciiOf(bytes("61"))).toBe("a");
  expect(() => asciiOf(bytes("80"))).toThrow(DerError);
});

test("reading a text leaves its bytes alone", () => {
  const raw = bytes("1e 02 00 61");
  stringOf(readElement(raw));
  expect(raw.toString("hex")).toBe("1e020061");
});
