import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findWord } from "./method-search.ts";

describe("the first place where LIST or SCAN could stand", () => {
  it.each([
    ["", 0, -1],
    ["GET /v1/a HTTP/1.1\r\n", 0, -1],
    ["LIST /v1/a", 0, 0],
    ["SCAN /v1/a", 0, 0],
    ["LIST /v1/a", 1, -1],
    ["..LIST LIST ", 0, 2],
    ["..LIST LIST ", 3, 7],
    ["list /v1/a", 0, -1],
    ["LISTX", 0, -1],
    ["LISLIST ", 0, 3],
    ["SCALIST ", 0, 3],
    // cut in the middle of a word
    ["abcL", 0, 3],
    ["abcLI", 0, 3],
    ["abcLIST", 0, 3],
    ["abcSCA", 0, 3],
    ["SS", 0, 1],
    ["LIST", 1, -1],
  ])("of %j from %i is %i", (text, from, at) => {
    expect(findWord(Buffer.from(text), from)).toBe(at);
  });

  it("is the one that looking at every byte finds", () => {
    const piece = fc.constantFrom("LIST ", "SCAN ", "LIS", "SC", "L", "S", "T", " ", "A", "N", "x", "\r\n", "GET /");
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.nat({ max: 30 }), (bytes, from) => {
        expect(findWord(Buffer.from(bytes), from)).toBe(findSlowly(bytes, from));
      }),
      { numRuns: 2000 },
    );
  });
});

function findSlowly(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const here = text.slice(at, at + 5);
    if (["LIST ", "SCAN "].some((word) => here === word || (here.length < 5 && word.startsWith(here)))) return at;
  }
  return -1;
}
