import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { multiply, qrCode, qrModules } from "./qr-code.ts";

const textOf = (length: number) =>
  `https://login.example.com/device?user_code=ABCD-EFGH&x=${"abcdefghij".repeat(30)}`.slice(0, length);

const print = (modules: readonly (readonly boolean[])[]) =>
  hash("sha256", modules.map((row) => row.map(Number).join("")).join("\n"), "hex").slice(0, 16);

// Each of these, one for every size, was read back with OpenCV when it was written down.
test.each([
  [10, 21, "40e237da427f1f4d"],
  [30, 25, "2e62191821e7ebcc"],
  [50, 29, "68c2db71ed75c63d"],
  [70, 33, "cbbfa030bf05a5b5"],
  [100, 37, "45c56dcf602abbb1"],
  [130, 41, "fff08da9f650828c"],
  [150, 45, "6525a94453d63ba9"],
  [190, 49, "5df0b51ee0adae6a"],
  [225, 53, "ad0d42ae7a0fb949"],
  [270, 57, "cfc968610b5aac0d"],
])("a text of %i characters takes %i modules", (length, size, expected) => {
  const modules = qrModules(textOf(length))!;
  expect([modules.length, print(modules)]).toEqual([size, expected]);
});

test("a text that is too long is not drawn", () => {
  expect(qrCode(textOf(271))).toBeDefined();
  expect(qrCode(textOf(272))).toBeUndefined();
});

test("a drawing has half as many lines as rows, and light all around", () => {
  const lines = qrCode("hello")!.split("\n");
  expect(lines).toHaveLength(13);
  expect(new Set(lines[0])).toEqual(new Set(["█"]));
  expect(lines.every((line) => [...line].length === 25 && line.startsWith("██"))).toBe(true);
});

test("the field: every element but zero is a power of two", () => {
  const seen = new Set<number>();
  for (let power = 1; !seen.has(power); power = multiply(power, 2)) seen.add(power);
  expect(seen.size).toBe(255);
});
