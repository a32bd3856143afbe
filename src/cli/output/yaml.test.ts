import { describe, expect, it } from "vitest";
import { parseJson } from "../../lib/json.ts";
import { renderYaml } from "./yaml.ts";

const yaml = (...lines: string[]): string => `${lines.join("\n")}\n`;

describe("scalars", () => {
  it.each([
    ["null", "null"],
    ["true", "true"],
    ["-3", "-3"],
    ["9007199254740993", "9007199254740993"],
    ["1.50", "1.50"],
    ['"plain text/with_some-marks.v1"', "plain text/with_some-marks.v1"],
    ['""', '""'],
    ["[]", "[]"],
    ["{}", "{}"],
  ])("%s", (json, text) => expect(renderYaml(parseJson(json))).toBe(yaml(text)));

  it.each(["1", "1.5", "0x1f", "1e3", "true", "Yes", "off", "n", "NULL", "~", "2024-01-01", "12:30:45"])(
    "text that looks like something else is quoted: %s",
    (text) => expect(renderYaml({ a: text })).toBe(yaml(`a: "${text}"`)),
  );

  it.each([
    "a: b",
    "a #b",
    "- a",
    "? a",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "{a",
    "[a",
    "a\tb",
    " a",
    "a ",
    "'a'",
    "|",
    ">",
  ])("text with marks of YAML is quoted: %j", (text) =>
    expect(renderYaml([text])).toBe(yaml(`- ${JSON.stringify(text)}`)),
  );

  it("what other readers take for ends of lines is escaped", () => {
    expect(renderYaml({ a: "b\u2028c\u0085d\ufeff" })).toBe(yaml('a: "b\\u2028c\\u0085d\\ufeff"'));
  });
});

describe("structure", () => {
  it("nests objects and lists", () => {
    const value = { data: { keys: ["a", { b: 1, c: [[2], []] }] }, auth: null, empty: {} };
    expect(renderYaml(value)).toBe(
      yaml(
        "data:",
        "  keys:",
        "    - a",
        "    - b: 1",
        "      c:",
        "        - - 2",
        "        - []",
        "auth: null",
        "empty: {}",
      ),
    );
  });

  it("quotes keys by the same rules", () => {
    expect(renderYaml({ "1": 1, yes: 2, "a b": 3, "": 4, "x:y": 5 })).toBe(
      yaml('"1": 1', '"yes": 2', "a b: 3", '"": 4', '"x:y": 5'),
    );
  });

  it("announces a key that is too long to be looked ahead for", () => {
    const key = "k".repeat(1500);
    expect(renderYaml({ [key]: { a: 1 } })).toBe(yaml(`? ${key}`, ":", "  a: 1"));
  });
});

describe("text of several lines", () => {
  it("stays readable", () => {
    const policy = 'path "a" {\n  capabilities = ["read"]\n\n}\n';
    expect(renderYaml({ policy, last: "a\nb" })).toBe(
      yaml("policy: |", '  path "a" {', '    capabilities = ["read"]', "", "  }", "last: |-", "  a", "  b"),
    );
  });

  it.each(["a\n\n", " a\nb", "\na", "a\r\nb", "a\n  \nb", "a\n\u0007"])(
    "is quoted where a block would change it: %j",
    (text) => {
      expect(renderYaml({ text })).toBe(yaml(`text: ${JSON.stringify(text)}`));
    },
  );

  it("is quoted when it stands alone", () => {
    expect(renderYaml("a\nb")).toBe(yaml('"a\\nb"'));
  });
});
