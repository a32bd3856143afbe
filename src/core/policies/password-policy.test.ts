import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MapStorage } from "../../../test/support/engine-caller.ts";
import { ApiError } from "../../api/errors.ts";
import { PasswordPolicies } from "./password-policies.ts";
import { generatePassword, parsePasswordPolicy, requireUsable } from "./password-policy.ts";

const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
const mixed = `length = 20
  rule "charset" { charset = "abcdefghij" min-chars = 1 }
  rule "charset" { charset = "0123456789" min-chars = 2 }
  rule "charset" { charset = "abc!" }`;

describe("a password policy", () => {
  it.each([
    'length=20 rule "charset" {charset="abc0" min-chars=1}',
    'length = "20"\nrule "charset" { charset = "abcabc0" }',
    '{"length": 20, "rule": {"charset": {"charset": "abc0", "min-chars": 1}}}',
    '{"length": 20, "rule": [{"charset": [{"charset": "abc0"}]}]}',
    Buffer.from('length=20 rule "charset" {charset="abc0"}').toString("base64"),
  ])("is read from %s", (text) => {
    const policy = parsePasswordPolicy(text);
    expect(policy).toMatchObject({ length: 20, characters: ["a", "b", "c", "0"] });
    expect(generatePassword(policy, random)).toMatch(/^[abc0]{20}$/);
  });

  it.each<[string, string]>([
    ['rule "charset" { charset = "abc" }', "length is missing"],
    ['length = 3 rule "charset" { charset = "abc" }', "length must be between 4 and 100"],
    ['length = 101 rule "charset" { charset = "abc" }', "length must be between 4 and 100"],
    ['length = "long" rule "charset" { charset = "abc" }', "length must be a whole number"],
    ["length = 20", 'at least one rule "charset" is needed'],
    ['length = 20 rule "charset" {}', "needs a charset with characters in it"],
    ['length = 20 rule "charset" { charset = "" }', "needs a charset with characters in it"],
    ['length = 20 rule "charset" { charset = 5 }', "charset must be a string"],
    ['length = 20 rule "charset" { charset = "a\\tb" }', "printable characters only"],
    ['length = 20 rule "charset" { charset = "a" min-chars = -1 }', "min-chars must be a whole number"],
    ['length = 20 rule "charset" { charset = "a" wat = 1 }', 'invalid key "wat" on line 1'],
    ['length = 20 rule "words" {}', 'unknown rule "words"'],
    ["wat = 1", 'invalid key "wat" on line 1'],
    ['length = 4 rule "charset" { charset = "a" min-chars = 5 }', "the rules want 5 characters, and the length is 4"],
    ["length =", "At 1:9: "],
  ])("is refused: %s", (text, message) => {
    expect(() => parsePasswordPolicy(text)).toThrow(ApiError);
    expect(() => parsePasswordPolicy(text)).toThrow(`failed to parse password policy: `);
    expect(() => parsePasswordPolicy(text)).toThrow(message);
  });

  it("is refused if hardly any password keeps it", () => {
    const strict = `length = 40 rule "charset" { charset = "a" min-chars = 40 } rule "charset" { charset = "bcdefgh" }`;
    expect(() => requireUsable(parsePasswordPolicy(strict), random)).toThrow("its rules are too strict");
    expect(() => requireUsable(parsePasswordPolicy(mixed), random)).not.toThrow();
  });

  it("may want no more of a charset than there is room for", () => {
    const policy = parsePasswordPolicy('length = 4 rule "charset" { charset = "ab" min-chars = 4 }');
    expect(generatePassword(policy, random)).toMatch(/^[ab]{4}$/);
  });

  it("gives passwords that keep its rules", () => {
    const policy = parsePasswordPolicy(mixed);
    for (let count = 0; count < 200; count++) {
      const password = generatePassword(policy, random);
      expect(password).toMatch(/^[a-j0-9!]{20}$/);
      expect(password).toMatch(/[a-j]/);
      expect(password).toMatch(/[0-9].*[0-9]/);
    }
  });

  it("drops numbers that would favor the first characters", () => {
    const policy = parsePasswordPolicy('length = 4 rule "charset" { charset = "abc" }');
    const numbers = [0xffff, 0, 0xfffe, 0xffff, 1, 0x0102];
    const scripted = {
      bytes: (count: number) => new Uint8Array(numbers.splice(0, count / 2).flatMap((each) => [each >> 8, each & 255])),
    };
    // 0xffff is what is left over when 65,536 numbers are shared out among three.
    expect(generatePassword(policy, scripted)).toBe("acba");
  });

  it("draws every character about equally often", () => {
    const policy = parsePasswordPolicy('length = 100 rule "charset" { charset = "abcdefg" }');
    const counts = new Map<string, number>();
    for (let count = 0; count < 700; count++) {
      for (const character of generatePassword(policy, random)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 10,000 of each are expected; ten standard deviations are about 930.
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(930);
    expect(counts.size).toBe(7);
  });

  it("cannot have more characters than a fair draw is made for", () => {
    const many = Array.from({ length: 1001 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    expect(() => parsePasswordPolicy(`length = 4 rule "charset" { charset = "${many}" }`)).toThrow("more than 1000");
  });

  it("is read or refused with a sentence, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parsePasswordPolicy(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

describe("stored password policies", () => {
  const policies = new PasswordPolicies(random);
  const text = 'length = 8 rule "charset" { charset = "ab" }';

  it("are written, read, used, listed in pages and deleted", async () => {
    const storage = new MapStorage();
    for (const name of ["b", "a", "c"]) policies.put(name, Buffer.from(text).toString("base64"), storage);
    expect(await policies.get("a", storage)).toBe(text);
    expect(await policies.generate("a", storage)).toMatch(/^[ab]{8}$/);
    expect(await policies.list(storage, { limit: 2 })).toEqual(["a", "b"]);
    expect(await policies.list(storage, { after: "b" })).toEqual(["c"]);
    policies.delete("a", storage);
    await expect(policies.get("a", storage)).rejects.toThrow("policy does not exist");
    await expect(policies.generate("a", storage)).rejects.toMatchObject({ status: 404 });
  });

  it("are refused if they are wrong or nobody could keep them", () => {
    const storage = new MapStorage();
    const strict = `length = 40 rule "charset" { charset = "a" min-chars = 40 } rule "charset" { charset = "bcdefgh" }`;
    for (const wrong of ["", "length = 2", strict]) expect(() => policies.put("a", wrong, storage)).toThrow(ApiError);
    expect(storage.entries.size).toBe(0);
  });
});
