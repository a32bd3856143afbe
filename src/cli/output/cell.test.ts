import { describe, expect, it } from "vitest";
import { parseJson } from "../../lib/json.ts";
import { cellText, humanDuration, namedCellText } from "./cell.ts";

describe("cellText", () => {
  it.each([
    ["null", "<nil>"],
    ["true", "true"],
    ["1", "1"],
    ["9007199254740993", "9007199254740993"],
    ["1.50", "1.50"],
    ['"text"', "text"],
    ['["a","b"]', "[a b]"],
    ["[]", "[]"],
    ['{"b":1,"a":[true,null]}', "map[a:[true <nil>] b:1]"],
    ["{}", "map[]"],
  ])("%s is %s", (json, text) => expect(cellText(parseJson(json))).toBe(text));
});

describe("namedCellText", () => {
  it.each([
    ["ttl", 2_764_800, "768h"],
    ["max_ttl", 0, "0s"],
    ["period", 90, "1m30s"],
    ["lease_duration", 3600, "1h"],
    ["num_uses", 3600, "3600"],
    ["title", 3600, "3600"],
    ["ttl", "3600", "3600"],
  ])("%s of %s is %s", (name, value, text) => expect(namedCellText(name, value)).toBe(text));
});

describe("humanDuration", () => {
  it.each([
    [0, "0s"],
    [45, "45s"],
    [60, "1m"],
    [3600, "1h"],
    [3660, "1h1m"],
    [3601, "1h0m1s"],
  ])("%i is %s", (seconds, text) => expect(humanDuration(seconds)).toBe(text));
});
