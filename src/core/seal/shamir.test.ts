import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineShares, MalformedShares, splitSecret } from "./shamir.ts";

const random = { bytes: (count: number) => randomBytes(count) };
const hex = (text: string) => Buffer.from(text, "hex");

const secretAndQuorum = fc
  .record({ secret: fc.uint8Array({ minLength: 1, maxLength: 40 }), shares: fc.integer({ min: 2, max: 30 }) })
  .chain(({ secret, shares }) =>
    fc.record({
      secret: fc.constant(secret),
      shares: fc.constant(shares),
      threshold: fc.integer({ min: 2, max: shares }),
      order: fc.shuffledSubarray([...Array(shares).keys()], { minLength: shares, maxLength: shares }),
    }),
  );

describe("Shamir's secret sharing", () => {
  it("gives the secret back from any quorum, in any order", () => {
    fc.assert(
      fc.property(secretAndQuorum, ({ secret, shares, threshold, order }) => {
        const all = splitSecret(secret, shares, threshold, random);
        const quorum = order.slice(0, threshold).map((index) => all[index]!);
        expect(combineShares(quorum)).toEqual(Buffer.from(secret));
      }),
      { numRuns: 200 },
    );
  });

  it("gives the secret back from more shares than needed", () => {
    const secret = randomBytes(32);
    expect(combineShares(splitSecret(secret, 7, 3, random))).toEqual(secret);
  });

  it("splits into the most shares there are", () => {
    const secret = randomBytes(32);
    const shares = splitSecret(secret, 255, 255, random);
    expect(new Set(shares.map((share) => share[32])).size).toBe(255);
    expect(combineShares(shares)).toEqual(secret);
    expect(combineShares(shares.slice(1))).not.toEqual(secret);
  });

  it("says nothing with one share too few: every secret stays possible", () => {
    // Two shares of a 3-of-3 split of one byte: whatever the secret, some third share explains them.
    const [one, two, three] = splitSecret(hex("2a"), 3, 3, random);
    const explained = new Set<number>();
    for (let y = 0; y < 256; y += 1) explained.add(combineShares([one!, two!, Buffer.from([y, three![1]!])])[0]!);
    expect(explained.size).toBe(256);
  });

  it("makes shares of 33 bytes from a key of 32, and a lone share is the key itself", () => {
    const key = randomBytes(32);
    expect(splitSecret(key, 5, 3, random).map((share) => share.length)).toEqual([33, 33, 33, 33, 33]);
    expect(splitSecret(key, 1, 1, random)).toEqual([key]);
  });

  it("computes in the field of AES", () => {
    // With the coefficient 0x53, share x is secret ^ 0x53·x; 0x53·0xca = 1 in FIPS 197's field.
    const fixed = { bytes: (count: number) => new Uint8Array(count).fill(0x53) };
    const shares = splitSecret(hex("00"), 0xca, 2, fixed);
    expect(shares[0xca - 1]).toEqual(hex("01ca"));
    expect(shares[1]).toEqual(hex("a602"));
  });

  it.each([
    ["no share", []],
    ["one share", ["aa01"]],
    ["different lengths", ["aa01", "aabb02"]],
    ["only a coordinate", ["01", "02"]],
    ["the coordinate 0", ["aa00", "bb01"]],
    ["the same coordinate twice", ["aa01", "bb01"]],
  ])("refuses %s", (_, shares) => {
    expect(() => combineShares(shares.map(hex))).toThrow(MalformedShares);
  });

  it.each([
    [0, 0],
    [256, 3],
    [3, 4],
    [3, 1],
    [3, 0],
    [1, 0],
    [2.5, 2],
    [5, 2.5],
  ])("refuses to split into %d shares with threshold %d", (shares, threshold) => {
    expect(() => splitSecret(hex("aa"), shares, threshold, random)).toThrow(RangeError);
  });
});
