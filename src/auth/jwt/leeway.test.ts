import { describe, expect, test } from "vitest";
import { type Leeways, type Moments, timeProblem } from "./leeway.ts";

const now = 10_000;
const unset: Leeways = { expiration_leeway: 0, not_before_leeway: 0, clock_skew_leeway: 0 };
const none: Leeways = { expiration_leeway: -1, not_before_leeway: -1, clock_skew_leeway: -1 };
const own: Leeways = { expiration_leeway: 10, not_before_leeway: 20, clock_skew_leeway: 5 };
const moments = (some: Partial<Moments>): Moments => ({ iat: undefined, nbf: undefined, exp: undefined, ...some });
const words = { exp: "expired", nbf: "not yet valid", iat: "issued in the future" };

describe("each edge, two seconds to either side", () => {
  test.each<[string, keyof typeof words, (offset: number) => Partial<Moments>, Leeways, number]>([
    ["exp, usual leeways: 150 + 60", "exp", (at) => ({ exp: now + at }), unset, -210],
    ["exp, no leeway", "exp", (at) => ({ exp: now + at, nbf: now - 9000 }), none, 0],
    ["exp, own leeways: 10 + 5", "exp", (at) => ({ exp: now + at }), own, -15],
    ["exp is missing: iat, 150 + 60", "exp", (at) => ({ iat: now + at }), unset, -210],
    ["exp is missing: the later of iat and nbf", "exp", (at) => ({ iat: now - 9000, nbf: now + at }), own, -15],
    ["nbf, usual leeways: 150 + 60", "nbf", (at) => ({ nbf: now - at, exp: now + 9000 }), unset, -210],
    ["nbf, no leeway", "nbf", (at) => ({ nbf: now - at, exp: now + 9000 }), none, 0],
    ["nbf, own leeways: 20 + 5", "nbf", (at) => ({ nbf: now - at, exp: now + 9000 }), own, -25],
    ["nbf is missing: iat, without its own leeway", "nbf", (at) => ({ iat: now - at, exp: now + 9000 }), unset, -60],
    ["nbf is missing, and iat: exp, 150 + 60", "nbf", (at) => ({ exp: now - at }), unset, -210],
    ["iat, 60", "iat", (at) => ({ iat: now - at, nbf: now - 100, exp: now + 9000 }), unset, -60],
    ["iat, no leeway", "iat", (at) => ({ iat: now - at, nbf: now - 100, exp: now + 9000 }), none, 0],
  ])("%s", (_, claim, at, leeways, edge) => {
    expect(timeProblem(moments(at(edge)), leeways, now)).toBeUndefined();
    expect(timeProblem(moments(at(edge + 2)), leeways, now)).toBeUndefined();
    expect(timeProblem(moments(at(edge - 2)), leeways, now)).toContain(words[claim]);
  });
});

test("a token without any moment", () => {
  expect(timeProblem(moments({}), unset, now)).toContain("no issued at (iat)");
});
