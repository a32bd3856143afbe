import fc from "fast-check";
import { expect, test } from "vitest";
import { DerError } from "./der-error.ts";
import { decodeObjectIdentifier, encodeObjectIdentifier, isObjectIdentifier } from "./object-identifier.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

test.each([
  ["55 04 03", "2.5.4.3"],
  ["2a 86 48 86 f7 0d 01 01 0b", "1.2.840.113549.1.1.11"],
  ["27", "0.39"],
  ["28", "1.0"],
  ["4f", "1.39"],
  ["50", "2.0"],
  ["88 37", "2.999"],
  ["83 ff ff ff ff ff ff ff ff 7f", "2.36893488147419103151"],
])("%s is %s", (hex, text) => {
  expect(decodeObjectIdentifier(bytes(hex))).toBe(text);
  expect(Buffer.from(encodeObjectIdentifier(text)).toString("hex")).toBe(bytes(hex).toString("hex"));
});

test.each([
  "",
  "1",
  "3.1",
  "1.40",
  "0.99",
  "1.2.",
  ".1.2",
  "1..2",
  "1.02",
  "a.b",
  "1.2 ",
  "1.-2",
  `1.2${".3".repeat(200)}`,
])("%j is no object identifier", (text) => {
  expect(isObjectIdentifier(text)).toBe(false);
  expect(() => encodeObjectIdentifier(text)).toThrow(DerError);
});

test("no object identifier goes on for ever", () => {
  expect(isObjectIdentifier(`1.2${".3".repeat(200)}`)).toBe(false);
});

test.each([
  ["nothing", ""],
  ["an end that is missing", "2a 86"],
  ["a needless zero", "2a 80 01"],
  ["one that never ends", "2a".repeat(65)],
])("refuses %s", (_, hex) => {
  expect(() => decodeObjectIdentifier(bytes(hex))).toThrow(DerError);
});

test("the way there and back", () => {
  const arcs = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom("0.0", "0.39", "1.17", "2.5", "2.999"), arcs, (start, rest) => {
      const text = [start, ...rest].join(".");
      expect(decodeObjectIdentifier(encodeObjectIdentifier(text))).toBe(text);
    }),
  );
});
