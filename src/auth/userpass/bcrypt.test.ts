import { describe, expect, test } from "vitest";
import { matchesBcrypt, parseBcrypt } from "./bcrypt.ts";
import { piFraction } from "./pi-fraction.ts";

/** Made by the crypt function of the C library. */
const hashes: [password: string, hash: string][] = [
  ["", "$2b$04$CCCCCCCCCCCCCCCCCCCCC.Cg0ly9t/KVBCBYYDfOmZKwry9JuXClC"],
  ["U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"],
  ["correct horse battery staple", "$2y$04$abcdefghijklmnopqrstuu7EJV7kdjBBQxyb0HjTh9KS7.Lah/6CG"],
  ["pässwörd €", "$2b$04$zVHmKQtGGQob.b/Nc7l9NOKC64lxUwwFhCw7hiFD9ZUcGoqgYxuRq"],
  ["x".repeat(71), "$2b$04$zVHmKQtGGQob.b/Nc7l9NOgB6sIyMNuwLvc1IHpVx7nMXNMKZsupK"],
  ["x".repeat(72), "$2b$04$zVHmKQtGGQob.b/Nc7l9NO5lk3HE4lBY9ZLK2Ksrzs65flaJMCy36"],
  ["x".repeat(100), "$2b$04$zVHmKQtGGQob.b/Nc7l9NO5lk3HE4lBY9ZLK2Ksrzs65flaJMCy36"],
  ["hunter2", "$2b$06$DCq7YPn5Rq63x1Lad4cll.2HeKgZeXP.oxoRUdDgHVSq4qNHmAf/a"],
];

test.each(hashes)("%j matches %s, and another password does not", async (password, hash) => {
  const parsed = parseBcrypt(hash)!;
  expect(await matchesBcrypt(parsed, password)).toBe(true);
  expect(await matchesBcrypt(parsed, `!${password}`)).toBe(false);
});

test("checks wait for one another, also for one that fails", async () => {
  const parsed = parseBcrypt(hashes[1]![1])!;
  const broken = { ...parsed, digest: new Uint8Array(3) };
  const results = await Promise.allSettled([
    matchesBcrypt(parsed, "U*U"),
    matchesBcrypt(broken, "U*U"),
    matchesBcrypt(parsed, "U*U"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

describe("is no hash", () => {
  const [, good] = hashes[1]!;
  test.each([
    ["empty", ""],
    ["a password", "hunter2"],
    ["an unknown version", good.replace("$2a", "$2x")],
    ["too cheap", good.replace("$05", "$03")],
    ["too dear", good.replace("$05", "$15")],
    ["too short", good.slice(0, -1)],
    ["too long", `${good}A`],
    ["a wrong character", good.replace("E5", "E+")],
    ["a line break", `${good}\n`],
  ])("%s", (_, text) => {
    expect(parseBcrypt(text)).toBeUndefined();
  });
});

test("the cipher begins with pi", () => {
  const bits = BigInt(piFraction.length * 8 + 64);
  const pi = 16n * arcTangent(5n, bits) - 4n * arcTangent(239n, bits);
  const fraction = (pi - (3n << bits)) >> 64n;
  expect(Buffer.from(piFraction).toString("hex")).toBe(fraction.toString(16).padStart(piFraction.length * 2, "0"));
});

/** Of one part in `whole`, times two to the power of `bits`. */
function arcTangent(whole: bigint, bits: bigint): bigint {
  let sum = 0n;
  let power = (1n << bits) / whole;
  for (let odd = 1n; power > 0n; odd += 2n, power /= whole * whole)
    sum += odd % 4n === 1n ? power / odd : -(power / odd);
  return sum;
}
