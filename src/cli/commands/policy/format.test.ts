import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HclError } from "../../../lib/hcl/error.ts";
import { parseHcl } from "../../../lib/hcl/parser.ts";
import { plainObject } from "../../../lib/hcl/plain-value.ts";
import { formatPolicy } from "./format.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

describe("formatPolicy", () => {
  it.each([
    ['path "a" {capabilities=["read","list"]}', lines('path "a" { capabilities = ["read", "list"] }')],
    [
      'path "a"   {\n\n\n      capabilities   =["read"  ,"list"]\n}',
      lines('path "a" {', "", '  capabilities = ["read", "list"]', "}"),
    ],
    [
      '# first\n\n\n\npath "a" { // why\n capabilities=[\n"read", # one\n"list"\n]\n}\n\n',
      lines("# first", "", 'path "a" { // why', "  capabilities = [", '    "read", # one', '    "list"', "  ]", "}"),
    ],
    ['path "a" {\n/* two\n   lines */\n}', lines('path "a" {', "  /* two", "   lines */", "}")],
    ['path "a" {}', lines('path "a" {}')],
    ["a {\nb = <<EOT\n  kept\n as is\nEOT\n}", lines("a {", "  b = <<EOT", "  kept", " as is", "EOT", "}")],
    ['path "a = {" { comment = "x # {\\" y" }', lines('path "a = {" { comment = "x # {\\" y" }')],
    ["a = -1.5e3\nb=true", lines("a = -1.5e3", "b = true")],
    [
      '{"path":{"a":{"capabilities":["read"]}}}',
      JSON.stringify({ path: { a: { capabilities: ["read"] } } }, null, 2).concat("\n"),
    ],
    ["", "\n"],
  ])("%j", (before, after) => expect(formatPolicy(before)).toBe(after));

  it("leaves alone what is no HCL, and says where", () => {
    expect(() => formatPolicy('path "a" {')).toThrow(HclError);
    expect(() => formatPolicy("path = = 1")).toThrow("At 1:8");
  });

  const name = fc.stringMatching(/^[a-z][a-z_]{0,5}$/);
  const text = fc.string({ unit: fc.constantFrom("a", "/", "*", "+", " ", "#", "{", "}", "=", "é"), maxLength: 6 });
  const space = fc.constantFrom("", " ", "  ", "\t");
  const list = fc
    .array(text, { maxLength: 3 })
    .map((items) => `[${items.map((item) => JSON.stringify(item)).join(",")}]`);
  const entry = fc
    .tuple(
      space,
      name,
      space,
      fc.oneof(
        list,
        text.map((t) => JSON.stringify(t)),
      ),
      space,
      fc.constantFrom("", "# note", "// note"),
    )
    .map(([a, key, b, value, c, note]) => `${a}${key}${b}=${c}${value} ${note}`);
  const blocks = fc
    .array(
      fc
        .tuple(text, fc.array(entry, { maxLength: 4 }), fc.constantFrom("\n", "\n\n\n", "\r\n"))
        .map(([path, entries, gap]) => `path ${JSON.stringify(path)}{${gap}${entries.join(gap)}${gap}}`),
      { maxLength: 4 },
    )
    .map((all) => all.join("\n"));

  it("never changes the meaning, and has nothing more to do the second time", () => {
    fc.assert(
      fc.property(blocks, (before) => {
        const after = formatPolicy(before);
        expect(plainObject(parseHcl(after))).toEqual(plainObject(parseHcl(before)));
        expect(formatPolicy(after)).toBe(after);
        for (const note of ["# note", "// note"]) expect(after.split(note).length).toBe(before.split(note).length);
      }),
    );
  });
});
