import { describe, expect, it } from "vitest";
import { keyValueTable, renderTable, titled } from "./table.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

describe("renderTable", () => {
  it("aligns columns, and leaves no spaces at the ends of lines", () => {
    expect(
      keyValueTable([
        ["a", "1"],
        ["longer", "2"],
      ]),
    ).toBe(lines("Key       Value", "---       -----", "a         1", "longer    2"));
  });

  it("fills what is empty", () => {
    expect(
      renderTable(
        ["Path", "Type", "Note"],
        [
          ["a/", "", "x"],
          ["b/", "kv", ""],
        ],
      ),
    ).toBe(lines("Path    Type    Note", "----    ----    ----", "a/      n/a     x", "b/      kv      n/a"));
  });

  it("counts characters, not bytes", () => {
    expect(
      keyValueTable([
        ["größe", "1"],
        ["😀", "2"],
      ]),
    ).toBe(lines("Key      Value", "---      -----", "größe    1", "😀        2"));
  });

  it("lists one column", () => {
    expect(renderTable(["Keys"], [["a"], ["b/"]])).toBe(lines("Keys", "----", "a", "b/"));
  });
});

describe("titled", () => {
  it.each([
    ["Data", "Key    Value\n", "=== Data ===\nKey    Value\n"],
    ["Secret Path", "a\n", "== Secret Path ==\na\n"],
  ])("%s", (title, body, text) => expect(titled(title, body)).toBe(text));
});
