import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HclError } from "./error.ts";
import { type HclOptions, parseHcl } from "./parser.ts";
import { plainObject } from "./plain-value.ts";
import type { Body } from "./syntax-tree.ts";

/** The value of the one key `a`, as a plain value. */
function valueWritten(written: string): unknown {
  return plainObject(parseHcl(`a = ${written}`))["a"];
}

function failure(text: string, options?: HclOptions): string {
  try {
    parseHcl(text, options);
  } catch (error) {
    if (error instanceof HclError) return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("values", () => {
  it.each<[string, unknown]>([
    ['"text"', "text"],
    ['""', ""],
    ["true", true],
    ["false", false],
    ["0", 0],
    ["42", 42],
    ["-5", -5],
    ["1.5", 1.5],
    [".5", 0.5],
    ["-0.25", -0.25],
    ["1e3", 1000],
    ["2.5E-1", 0.25],
    ["0x1F", 31],
    ["-0x10", -16],
    ["0600", 0o600],
    ["9007199254740993", 9007199254740993n],
    ["[]", []],
    ['["a", "b"]', ["a", "b"]],
    ['["a", "b",]', ["a", "b"]],
    ['[1, true, "x", [2], { b = 3 }]', [1, true, "x", [2], { b: 3 }]],
    ["{}", {}],
    ["{ b = 1, c = 2, }", { b: 1, c: 2 }],
    ["{ b = 1 c = 2 }", { b: 1, c: 2 }],
    ['{ "b c" = 1 }', { "b c": 1 }],
    ["[ # why\n 1, // so\n /* and so */ 2 ]", [1, 2]],
  ])("reads %s", (written, value) => {
    expect(valueWritten(written)).toEqual(value);
  });

  it("keeps a number as it was written", () => {
    expect(parseHcl("a = 0600").items[0]?.value).toMatchObject({ kind: "number", value: 0o600, text: "0600" });
  });
});

describe("strings", () => {
  it.each([
    [String.raw`"say \"hi\""`, 'say "hi"'],
    [String.raw`"a\\b"`, "a\\b"],
    [String.raw`"\a\b\f\n\r\t\v"`, "\x07\b\f\n\r\t\v"],
    [String.raw`"\101\x41\u0041\U00000041"`, "AAAA"],
    [String.raw`"\u00e9\U0001F600"`, "é😀"],
    ['"é 😀 \t"', "é 😀 \t"],
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: that is how HCL writes them
    ['"${env}"', "${env}"],
    ['"${file("a.txt")}!"', '${file("a.txt")}!'],
    ['"${a {b} \\n}"', "${a {b} \\n}"],
    ['"$5 and {{identity.entity.id}}"', "$5 and {{identity.entity.id}}"],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: that is how HCL writes them
    ["<<EOF\none\n  two\nEOF\n", "one\n  two\n"],
    ["<<EOF\nEOF", ""],
    ["<<EOF\none\n  EOF\n", "one\n"],
    ["<<EOF\r\none\r\nEOF\r\n", "one\r\n"],
    ["<<EOF\nEOF not yet\nEOFX\nEOF\n", "EOF not yet\nEOFX\n"],
    ["<<-EOF\n    one\n      two\n\n    three\n    EOF\n", "one\n  two\n\nthree\n"],
    ["<<-EOF\n  one\n    EOF\n", "  one\n"],
  ])("reads %s", (written, value) => {
    expect(valueWritten(written)).toBe(value);
  });

  it("allows heredocs in lists", () => {
    expect(valueWritten("[<<A\none\nA\n, <<B\ntwo\nB\n]")).toEqual(["one\n", "two\n"]);
  });
});

describe("documents", () => {
  it.each<[string, unknown]>([
    ["", {}],
    ["# nothing\n// here\n/* at\nall */", {}],
    ["\ufeffa = 1", { a: 1 }],
    ["a = 1\r\nb = 2\r\n", { a: 1, b: 2 }],
    ["a = 1, b = 2", { a: 1, b: 2 }],
    ["a.b-c_d = 1", { "a.b-c_d": 1 }],
    ["größe = 1", { größe: 1 }],
    ['"quoted key" = 1', { "quoted key": 1 }],
    ["block { a = 1 }", { block: { a: 1 } }],
    ['block "label" { a = 1 }', { block: { label: { a: 1 } } }],
    ["block label { a = 1 }", { block: { label: { a: 1 } } }],
    ['audit "file" "one" { a = 1 }', { audit: { file: { one: { a: 1 } } } }],
    ["block { inner { a = 1 } }", { block: { inner: { a: 1 } } }],
    ['p "a" { x = 1 } p "b" { x = 2 }', { p: { a: { x: 1 }, b: { x: 2 } } }],
  ])("reads %s", (text, value) => {
    expect(plainObject(parseHcl(text))).toEqual(value);
  });

  it("knows where everything stands", () => {
    const body = parseHcl('# first\nlistener "tcp" {\n  address = "x"\n  list = [1,\n    2]\n}\n');
    const at = (line: number, column: number) => ({ line, column });
    expect(body).toEqual({
      kind: "object",
      position: at(1, 1),
      items: [
        {
          key: "listener",
          position: at(2, 1),
          labels: [{ text: "tcp", position: at(2, 10) }],
          value: {
            kind: "object",
            position: at(2, 16),
            items: [
              {
                key: "address",
                labels: [],
                position: at(3, 3),
                value: { kind: "string", value: "x", position: at(3, 13) },
              },
              {
                key: "list",
                labels: [],
                position: at(4, 3),
                value: {
                  kind: "list",
                  position: at(4, 10),
                  items: [
                    { kind: "number", value: 1, text: "1", position: at(4, 11) },
                    { kind: "number", value: 2, text: "2", position: at(5, 5) },
                  ],
                },
              },
            ],
          },
        },
      ],
    } satisfies Body);
  });
});

describe("what is wrong is said with its place", () => {
  it.each([
    ["path", 'At 1:5: expected "=" or "{" after the key "path", found the end of the text'],
    ['path "a"', 'At 1:9: expected "{" after a label, found the end of the text'],
    ['path "a" = 1', 'At 1:10: expected "{" after a label, found "="'],
    ['path "a', "At 1:6: the string is not closed"],
    ['path "a\n" {}', "At 1:6: the string is not closed"],
    ['a = "${x"', "At 1:5: the string is not closed"],
    ["path {", 'At 1:7: expected a key or "}", found the end of the text'],
    ["a = 1 }", 'At 1:7: expected a key or the end of the text, found "}"'],
    [", a = 1", 'At 1:1: expected a key or the end of the text, found ","'],
    ["a = 1,, b = 2", 'At 1:7: expected a key or the end of the text, found ","'],
    ["5 = 1", "At 1:1: expected a key or the end of the text, found a number"],
    ["a = ", "At 1:5: expected a value, found the end of the text"],
    ["a = }", 'At 1:5: expected a value, found "}"'],
    ["a = hello", 'At 1:5: expected a value (text needs quotes), found "hello"'],
    ["a = [1 2]", 'At 1:8: expected "," or "]" after a list item, found a number'],
    ['a = [1 "geheim"]', 'At 1:8: expected "," or "]" after a list item, found a string'],
    ["a = [,]", 'At 1:6: expected a value, found ","'],
    ["a = [1", 'At 1:7: expected "," or "]" after a list item, found the end of the text'],
    ["a = 10s", 'At 1:5: "10s" is not a number: put other text in quotes'],
    ["a = 1.2.3", 'At 1:5: "1.2.3" is not a number: put other text in quotes'],
    ["a = 089", 'At 1:5: "089" is not a number: put other text in quotes'],
    ["a = 1e999", 'At 1:5: "1e999" is not a number: put other text in quotes'],
    [`a = ${"9".repeat(101)}`, `At 1:5: "${"9".repeat(100)}…" is not a number: put other text in quotes`],
    ["a = +5", 'At 1:5: unexpected "+"'],
    ["a = 😀", 'At 1:5: unexpected "😀"'],
    ["a = \u0000", 'At 1:5: unexpected "\\u0000"'],
    ["\n  a: 1", 'At 2:4: unexpected ":"'],
    ["/* open", "At 1:1: the comment is not closed"],
    ["a = 1 / 2", 'At 1:7: unexpected "/"'],
    [
      String.raw`a = "\q"`,
      String.raw`At 1:6: unknown escape in a string: allowed are \" \\ \n \t \r \a \b \f \v \x \u \U`,
    ],
    [String.raw`a = "\ud800"`, "At 1:6: the escape in this string does not name a character"],
    [String.raw`a = "\U00110000"`, "At 1:6: the escape in this string does not name a character"],
    [String.raw`a = "\x4"`, "At 1:6: the escape in this string does not name a character"],
    [String.raw`a = "\08"`, "At 1:6: the escape in this string does not name a character"],
    [String.raw`a = "\xff"`, String.raw`At 1:6: this escape can only name characters up to 127: use \u for the others`],
    ["a = <<\n", 'At 1:5: expected a name and the end of the line after "<<"'],
    ["a = <<EOF x\nEOF\n", 'At 1:5: expected a name and the end of the line after "<<"'],
    ["a = <<EOF\nx\n", "At 1:5: the text is not closed: no line with EOF alone"],
  ])("%s", (text, message) => {
    expect(failure(text)).toBe(message);
  });

  it("limits length and depth", () => {
    expect(failure("a = 1", { maxLength: 4 })).toBe("At 1:1: too long: more than 4 characters");
    expect(failure("a { b { c {} } }", { maxDepth: 2 })).toBe("At 1:11: nested deeper than 2 levels");
    expect(failure(`a = ${"[".repeat(100_000)}`)).toBe("At 1:69: nested deeper than 64 levels");
    expect(failure('{"a": {"b": [1]}}', { maxDepth: 2 })).toBe("At 1:13: nested deeper than 2 levels");
    expect(failure(`{"a": ${"[".repeat(100_000)}`)).toBe("At 1:70: nested deeper than 64 levels");
  });
});

describe("JSON", () => {
  it.each<[string, unknown]>([
    ["{}", {}],
    [' \n {"a": 1}\n', { a: 1 }],
    ['\ufeff{"a": 1}', { a: 1 }],
    ['{"a": [1, -2.5e1, "x", true, false, null, {}]}', { a: [1, -25, "x", true, false, null, {}] }],
    ['{"listener": {"tcp": {"address": "x"}}}', { listener: { tcp: { address: "x" } } }],
    ['{"a": "\\u00e9\\n\\/"}', { a: "é\n/" }],
    ['{"a": 9007199254740993}', { a: 9007199254740993n }],
  ])("reads %s", (text, value) => {
    expect(plainObject(parseHcl(text))).toEqual(value);
  });

  it("gives the same tree as HCL", () => {
    const json = parseHcl('{\n"a": [1, "x"],\n"b": {"c": true}}');
    const hcl = parseHcl('\n"a" = [1, "x"]\n"b" = {"c" = true}');
    const shape = (body: Body) => JSON.stringify(body, (key, value) => (key === "position" ? value.line : value));
    expect(shape(json)).toBe(shape(hcl));
  });

  it.each([
    ["{", "At 1:2: expected a key in double quotes, found the end of the text"],
    ["{a: 1}", 'At 1:2: expected a key in double quotes, found "a"'],
    ['{"a": 1,}', 'At 1:9: expected a key in double quotes, found "}"'],
    ['{"a" = 1}', 'At 1:6: expected ":" after a key, found "="'],
    ['{"a": 1 "b": 2}', 'At 1:9: expected "," or "}", found "\\""'],
    ['{"a": [1 2]}', 'At 1:10: expected "," or "]", found "2"'],
    ['{"a": yes}', 'At 1:7: expected a value, found "y"'],
    ['{"a": 01}', 'At 1:8: expected "," or "}", found "1"'],
    ['{"a": 1e999}', "At 1:7: the number is too large"],
    ['{"a": "x\n"}', "At 1:7: the string is not closed"],
    ['{"a": "x\\', "At 1:7: the string is not closed"],
    ['{"a": "\\q"}', "At 1:7: the string has an escape or a control character that JSON does not allow"],
    ['{"a": "\t"}', "At 1:7: the string has an escape or a control character that JSON does not allow"],
    ["{} {}", 'At 1:4: expected nothing after the document, found "{"'],
  ])("refuses %s", (text, message) => {
    expect(failure(text)).toBe(message);
  });

  it("can be demanded, or forbidden", () => {
    expect(failure("a = 1", { syntax: "json" })).toBe('At 1:1: expected a value, found "a"');
    expect(failure("[]", { syntax: "json" })).toBe('At 1:1: the document must be an object: "{ … }"');
    expect(failure('{"a": 1}', { syntax: "hcl" })).toBe('At 1:1: expected a key or the end of the text, found "{"');
  });

  it("agrees with JSON.parse on every object", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { noNullPrototype: false }), (object) => {
        const text = JSON.stringify(object);
        const read = JSON.stringify(plainObject(parseHcl(text)), (_, value) =>
          typeof value === "bigint" ? Number(value) : value,
        );
        expect(JSON.parse(read)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe("any text at all", () => {
  const piece = fc.constantFrom(
    ...'{}[]=,"\\#/*<-.$\n \t\r0123456789eExXuU',
    "path",
    "<<EOF\n",
    "<<-E\n",
    "EOF\n",
    "\nE\n",
    "/*",
    "*/",
    "${",
    "true",
    '"a"',
    "0x",
    "\ud800",
    "\u0000",
    "é",
  );
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
    fc.array(piece, { maxLength: 60 }).map((pieces) => `{${pieces.join("")}`),
  );

  it("is read or refused with an HclError", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          plainObject(parseHcl(text));
        } catch (error) {
          expect(error).toBeInstanceOf(HclError);
          expect((error as HclError).message).toMatch(/^At \d+:\d+: ./);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("survives large and nasty texts", () => {
    const nasty = ['a = "${{'.repeat(50_000), "a = <<E\n".repeat(50_000), "/*".repeat(100_000), "a ".repeat(100_000)];
    for (const text of nasty) expect(() => parseHcl(text)).toThrow(HclError);
    expect(parseHcl("a = 1\n".repeat(50_000)).items).toHaveLength(50_000);
  });
});
