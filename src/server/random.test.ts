import { expect, test } from "vitest";
import { random } from "./random.ts";

test.each([0, 1, 12, 32, 256, 257, 5000])("gives %i bytes, never the same again, and its own to keep", (count) => {
  const all = Array.from({ length: 600 }, () => random.bytes(count));
  expect(all.every((bytes) => bytes.length === count)).toBe(true);
  const given = all.map((bytes) => Buffer.from(bytes).toString("hex"));
  if (count >= 12) expect(new Set(given).size).toBe(600);
  random.bytes(4096);
  expect(all.map((bytes) => Buffer.from(bytes).toString("hex"))).toEqual(given);
});

test("uses all values of a byte about equally often", () => {
  const seen = new Array<number>(256).fill(0);
  for (let round = 0; round < 4000; round++) for (const byte of random.bytes(64)) seen[byte]!++;
  // A thousand are expected of each; seven standard deviations apart is not chance.
  expect(seen.filter((count) => Math.abs(count - 1000) > 7 * Math.sqrt(1000))).toEqual([]);
});
