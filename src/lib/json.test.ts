import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRawNumber, JsonError, parseJson } from "./json.ts";

const roundTrip = (text: string) => JSON.stringify(parseJson(text));

describe("numbers come back digit for digit", () => {
  test.each([
    "0",
    "-0",
    "1.0",
    "1.10",
    "1e400",
    "1E5",
    "9007199254740993",
    "-9007199254740993",
    "123456789012345678901234567890",
    "0.1",
    "1e-7",
    "3.141592653589793238462643383279",
    "-1",
    "1e+2",
  ])("%s", (text) => {
    expect(roundTrip(text)).toBe(text);
    expect(roundTrip(`{"a":[${text}]}`)).toBe(`{"a":[${text}]}`);
  });

  test("plain numbers stay numbers, others are raw", () => {
    expect(parseJson("42")).toBe(42);
    expect(isRawNumber(parseJson("1.0"))).toBe(true);
  });
});

describe("keys are only keys", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "", "\\u0000", "\\ud800"])("%j", (key) => {
    const text = `{"${key}":{"polluted":true}}`;
    expect(roundTrip(text)).toBe(text);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("refusals", () => {
  test.each([
    ["", "unexpected end of input at character 1"],
    ["{", "expected a quoted key at character 2"],
    ['{"a":1,"a":2}', 'duplicate key "a" in a JSON object'],
    ['{"\\u0061":1,"a":2}', 'duplicate key "a" in a JSON object'],
    ['{"a":null,"a":2}', 'duplicate key "a" in a JSON object'],
    ["[1,]", "unexpected character at character 4"],
    ["01", "unexpected text after the JSON value at character 2"],
    ["1.", "unexpected end of input at character 3"],
    ["+1", "unexpected character at character 1"],
    ["NaN", "unexpected character at character 1"],
    ["nul", "unexpected character at character 1"],
    ['"a\nb"', "control character in a string at character 3"],
    ['"secret\\x"', "bad escape sequence in a string at character 1"],
    ['"open', "unexpected end of input in a string at character 6"],
    ["{} {}", "unexpected text after the JSON value at character 4"],
    ["\uFEFF{}", "unexpected character at character 1"],
    ["{'a':1}", "expected a quoted key at character 2"],
  ])("%j", (text, message) => {
    expect(() => parseJson(text)).toThrow(new JsonError(message));
  });

  test("depth and strings are bounded", () => {
    const limits = { depth: 3, strings: 4 };
    expect(parseJson('[[["a"]]]', limits)).toEqual([[["a"]]]);
    expect(() => parseJson("[[[[]]]]", limits)).toThrow("exceeded maximum depth of 3");
    expect(parseJson('{"a":"b","c":"d"}', limits)).toEqual({ a: "b", c: "d" });
    expect(() => parseJson('{"a":"b","c":["d","e"]}', limits)).toThrow("exceeded maximum number of strings");
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(JsonError);
  });
});

test("agrees with the runtime's parser wherever that one loses nothing", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("any text either parses as the runtime would or is refused", () => {
  const bits = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    ":",
    ",",
    "1",
    "-",
    ".",
    "e",
    "true",
    "null",
    " ",
    "a",
    "é",
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      let theirs: unknown;
      try {
        theirs = JSON.parse(text);
      } catch {
        expect(() => parseJson(text)).toThrow(JsonError);
        return;
      }
      try {
        expect(parseJson(text)).toEqual(theirs);
      } catch (error) {
        if (!(error instanceof JsonError && error.message.startsWith("duplicate key"))) {
          expect(JSON.parse(JSON.stringify(parseJson(text)))).toEqual(theirs);
        }
      }
    }),
    { numRuns: 2000 },
  );
});
