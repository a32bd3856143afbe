import { describe, expect, it } from "vitest";
import { decodePoint, earlier, encodePoint } from "./postgres-point.ts";

describe("a point in the history of PostgreSQL", () => {
  it.each([
    ["10:20:10,14", { next: 20n, underWay: [10n, 14n] }],
    ["20:20:", { next: 20n, underWay: [] }],
    ["18446744073709551614:18446744073709551615:", { next: 18446744073709551615n, underWay: [] }],
  ])("says what the snapshot %s says", (snapshot, expected) => {
    expect(decodePoint(encodePoint("1763.25", "7", snapshot))).toEqual({ era: "1763.25", generation: 7, ...expected });
  });

  it.each([
    "",
    "42",
    "a/b/c",
    "1/2",
    "1/2/",
    "1/2/3",
    "1/x/3:",
    "1/2/3:x",
    "1/2/3:4;5",
    "1/2/-3:",
    `1/2/${"9".repeat(30)}:`,
  ])("is not %j", (point) => {
    expect(decodePoint(point)).toBeUndefined();
  });

  it("comes before both of two when nothing that is new for one of them is left out", () => {
    const one = { era: "e", generation: 3, next: 30n, underWay: [10n, 12n] };
    const other = { era: "e", generation: 2, next: 40n, underWay: [12n, 35n] };
    const expected = { era: "e", generation: 2, next: 30n, underWay: [10n, 12n, 35n] };
    expect(earlier(one, other)).toEqual(expected);
  });
});
