import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TemplateError } from "./error.ts";
import { Template } from "./template.ts";
import type { ValueMap } from "./value.ts";

/** 2026-03-04 05:06:07.089 UTC, and random bytes that count upward. */
const surroundings = {
  clock: { now: () => Date.UTC(2026, 2, 4, 5, 6, 7, 89) },
  random: { bytes: (count: number) => Uint8Array.from({ length: count }, (_, index) => index % 62) },
};

const render = (source: string, data: ValueMap = {}) => new Template(source).render(data, surroundings);

const claims: ValueMap = {
  sub: "bob",
  department: "R&D",
  admin: true,
  level: 7,
  ratio: 0.5,
  count: 1234567,
  nothing: null,
  groups: ["ops", "dev"],
  address: { country: "AT", city: { name: "Wien" } },
  "https://example.com/tier": "gold",
};

describe("what templates give", () => {
  test.each<[string, string]>([
    ["plain", "plain"],
    ["", ""],
    ["{{.sub}}", "bob"],
    ["user-{{ .sub }}-policy", "user-bob-policy"],
    ["{{.address.country}}/{{.address.city.name}}", "AT/Wien"],
    ["{{$.sub}}", "bob"],
    [".", "."],
    ["a {{- /* gone */ -}} b", "ab"],
    ["a {{/* gone */}} b", "a  b"],
    ["a  {{- .sub -}}  c", "abobc"],
    ["{{.level}} {{.ratio}} {{.count}} {{.admin}}", "7 0.5 1234567 true"],
    ["{{.groups}} {{.address}}", "[ops dev] map[city:map[name:Wien] country:AT]"],
    ["{{print .nothing}}", "<no value>"],
    ["{{`raw \\n`}}{{\"quoted\\t\\u00e9\"}}{{'x'}}", "raw \\nquoted\té120"],
    ["{{1}} {{-2}} {{0x10}} {{1.5}} {{1e3}}", "1 -2 16 1.5 1000"],
    // Conditions
    ["{{if .admin}}yes{{end}}", "yes"],
    ["{{if .nothing}}yes{{else}}no{{end}}", "no"],
    ['{{if eq .sub "eve"}}a{{else if eq .sub "bob"}}b{{else}}c{{end}}', "b"],
    ['{{if index . "missing"}}x{{end}}', ""],
    ['{{if index . "sub"}}team-{{.sub}}{{end}}', "team-bob"],
    ['{{index . "https://example.com/tier"}}', "gold"],
    ['{{with index . "address"}}{{.country}}{{end}}', "AT"],
    ['{{with index . "missing"}}a{{else}}b{{end}}', "b"],
    ['{{with index . "x"}}a{{else with index . "sub"}}{{.}}{{end}}', "bob"],
    ["{{if and .admin (gt .level 5)}}senior{{end}}", "senior"],
    ["{{if or (index . `no`) (not .admin)}}a{{else}}b{{end}}", "b"],
    ["{{and 1 0 .missing}}", "0"],
    ["{{or .sub .missing}}", "bob"],
    // Loops and variables
    ["{{range .groups}}<{{.}}>{{end}}", "<ops><dev>"],
    ["{{range $i, $g := .groups}}{{$i}}={{$g}};{{end}}", "0=ops;1=dev;"],
    ["{{range $key, $value := .address}}{{$key}} {{end}}", "city country "],
    ["{{range $g := .groups}}{{$g}}{{break}}{{end}}", "ops"],
    ['{{range .groups}}{{if eq . "ops"}}{{continue}}{{end}}{{.}}{{end}}', "dev"],
    ["{{range index . `none`}}a{{else}}empty{{end}}", "empty"],
    ["{{range 3}}{{.}}{{end}}", "012"],
    ["{{$x := 1}}{{$x}}{{$x = 2}}{{$x}}", "12"],
    ["{{$x := 1}}{{if true}}{{$x := 5}}{{$x = 6}}{{end}}{{$x}}", "1"],
    ["{{$x := 1}}{{if true}}{{$x = 6}}{{end}}{{$x}}", "6"],
    // Comparison
    [
      '{{eq .sub "a" "bob"}} {{ne .sub "bob"}} {{lt 1 2}} {{le 2 2}} {{gt "b" "a"}} {{ge 1 2}}',
      "true false true true true false",
    ],
    ["{{eq .level 7}} {{eq .nothing nil}}", "true true"],
    // Functions
    ["{{len .groups}} {{len .sub}} {{len `é`}}", "2 3 2"],
    ["{{index .groups 1}} {{index .address `city` `name`}} {{index .sub 0}}", "dev Wien 98"],
    ["{{slice .sub 1}} {{slice .sub 0 2}} {{slice .groups 1}}", "ob bo [dev]"],
    ["{{print 1 2 `a` `b` 3}}|{{println `x` 1}}", "1 2ab3|x 1\n"],
    ["{{printf `%s-%d-%v-%q-%t-%%` .sub 5 .groups `q` true}}", 'bob-5-[ops dev]-"q"-true-%'],
    [
      "{{printf `%05d|%-5s|%5s|%.2s|%x|%X|%.2f|%+d` 42 `ab` `ab` `abcd` `hi` 255 1.005 3}}",
      "00042|ab   |   ab|ab|6869|FF|1.00|+3",
    ],
    ["{{.department | html}} {{.department | urlquery}} {{.department | js}}", "R&amp;D R%26D R\\u0026D"],
    ["{{.sub | uppercase | printf `%s-%s` `x`}}", "x-BOB"],
    ["{{(index .address `city`).name}}", "Wien"],
    ["{{uppercase .sub}} {{lowercase `ABC`}} {{replace `b` `-` .sub}}", "BOB abc -o-"],
    ["{{random 5}}", "01234"],
    ["{{truncate 2 .sub}} {{truncate 9 .sub}} {{truncate 1 `é`}}", "bo bob "],
    ["{{truncate_sha256 10 `abcdefghijklmnop`}}", "ab936d7cdc"],
    ["{{sha256 `a`}}", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"],
    ["{{base64 .sub}} {{decode_base64 `Ym9i`}} {{hex .sub}} {{decode_hex `626f62`}}", "Ym9i bob 626f62 bob"],
    ["{{unix_time}} {{unix_time_millis}}", "1772600767 1772600767089"],
    ["{{timestamp `2006-01-02T15:04:05.000Z07:00`}}", "2026-03-04T05:06:07.089Z"],
    ["{{timestamp `Mon Jan _2 3:04PM 06 .99 MST`}}", "Wed Mar  4 5:06AM 26 .08 UTC"],
    ["{{uuid}}", "00010203-0405-4607-8809-0a0b0c0d0e0f"],
    ["{{glob `b*b` .sub}} {{glob `x*` .sub}}", "true false"],
  ])("%s", (source, expected) => {
    expect(render(source, claims)).toBe(expected);
  });

  test("the default name of a database user", () => {
    const source =
      '{{ printf "v-%s-%s-%s-%s" (.DisplayName | truncate 8) (.RoleName | truncate 8) (random 20) (unix_time) | truncate 63 }}';
    expect(render(source, { DisplayName: "userpass-bob", RoleName: "readonly-role" })).toBe(
      "v-userpass-readonly-0123456789ABCDEFGHIJ-1772600767",
    );
  });
});

describe("what templates refuse, and where", () => {
  test.each<[string, string]>([
    ["{{.missing}}", '1:3: executing "template" at <.missing>: map has no entry for key "missing"'],
    ["a\nb {{.address.street}}", '2:13: executing "template" at <.street>: map has no entry for key "street"'],
    ["{{.nothing}}", "1:3: the value is nil"],
    ['{{index . "missing"}}', "1:3: the value is nil"],
    ["{{.sub.name}}", `1:7: executing "template" at <.name>: can't evaluate field name in type string`],
    ["{{.nothing.x}}", '1:11: executing "template" at <.x>: nil has no field x'],
    ["{{.__proto__}}", '1:3: executing "template" at <.__proto__>: map has no entry for key "__proto__"'],
    ["{{.constructor}}", '1:3: executing "template" at <.constructor>: map has no entry for key "constructor"'],
    ["{{bad .sub}}", '1:3: function "bad" not defined'],
    ["{{hasOwnProperty}}", '1:3: function "hasOwnProperty" not defined'],
    ["{{.sub", "1:1: unclosed action"],
    ["{{if .sub}}x", "1:1: {{if}} without {{end}}"],
    ["x{{end}}", "1:2: unexpected {{end}}"],
    ["{{else}}", "1:1: unexpected {{else}}"],
    ["{{}}", "1:3: missing value for command"],
    ["{{.sub | }}", "1:10: missing value for command"],
    ["{{(.sub}}", "1:8: unclosed left parenthesis"],
    ["{{.sub)}}", "1:7: expected a space between operands"],
    ["{{.sub .x}}", "1:8: only a function takes arguments"],
    ["{{1 | .sub}}", "1:7: only a function can stand behind |"],
    ["{{$x}}", '1:3: undefined variable "$x"'],
    ["{{if true}}{{$x := 1}}{{end}}{{$x}}", '1:32: undefined variable "$x"'],
    ['{{"abc}}', "1:3: unterminated quoted string"],
    ["{{`abc}}", "1:3: unterminated raw quoted string"],
    ['{{"\\z"}}', "1:4: unknown escape sequence in a string"],
    ["{{'ab'}}", "1:3: malformed character constant"],
    ["{{12ab}}", "1:3: bad number syntax"],
    ["{{/* x }}", "1:1: unclosed comment"],
    ["{{break}}", "1:1: {{break}} outside {{range}}"],
    ['{{define "x"}}{{end}}', "1:1: {{define}} is not supported"],
    ["{{.sub # }}", '1:8: unexpected "#" in an action'],
    ["{{lt 1}}", '1:3: executing "template" at <lt 1>: wrong number of args for lt: got 1'],
    [
      "{{lt 1 `a`}}",
      '1:3: executing "template" at <lt 1 `a`>: error calling lt: incompatible types for comparison: integer and string',
    ],
    [
      "{{uppercase .level}}",
      '1:3: executing "template" at <uppercase .level>: error calling uppercase: expected a string; found a value of type number',
    ],
    [
      "{{index .groups 9}}",
      '1:3: executing "template" at <index .groups 9>: error calling index: index out of range: 9',
    ],
    [
      "{{truncate 0 .sub}}",
      '1:3: executing "template" at <truncate 0 .sub>: error calling truncate: max length must be > 0 but was 0',
    ],
    [
      "{{truncate_sha256 8 .sub}}",
      '1:3: executing "template" at <truncate_sha256 8 .sub>: error calling truncate_sha256: max length must be > 8 but was 8',
    ],
    [
      "{{printf `%d` .sub}}",
      '1:3: executing "template" at <printf `%d` .sub>: error calling printf: printf cannot write a value of type string with %d',
    ],
    [
      "{{printf `%s`}}",
      '1:3: executing "template" at <printf `%s`>: error calling printf: printf has no argument for %s',
    ],
    ["{{decode_hex `zz`}}", '1:3: executing "template" at <decode_hex `zz`>: error calling decode_hex: not valid hex'],
    ["{{range 100000}}{{end}}", "1:9: more than 50000 steps"],
    ["{{range 9000}}1234567890{{end}}", "1:1: more than 65536 characters of output"],
    ["{{replace `` (printf `%9999s` `x`) (printf `%9999s` `x`)}}", "a replacement makes at most 1048576 characters"],
    ["{{range .sub}}{{end}}", "1:9: range can't iterate over a value of type string"],
  ])("%s", (source, expected) => {
    const attempt = () => render(source, claims);
    expect(attempt).toThrow(TemplateError);
    expect(attempt).toThrow(expected);
  });

  test("a nesting without end, and a text without end", () => {
    expect(() => new Template(`{{${"(".repeat(5000)}1${")".repeat(5000)}}}`)).toThrow("levels of nesting");
    expect(() => new Template("x".repeat(70_000))).toThrow("at most 65536 characters");
    expect(() => new Template(`{{print ${"1 ".repeat(100)}}}`)).toThrow("more than 64 arguments");
  });
});

test("whatever the text, it renders or is refused with a place", () => {
  const piece = fc.constantFrom(
    "{{",
    "}}",
    "if ",
    "end",
    "else",
    ".sub",
    "$x",
    ":=",
    "(",
    ")",
    "|",
    "range ",
    "`a`",
    " ",
    "-",
    "index . ",
    "é",
    "1",
    ",",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      try {
        render(pieces.join(""), claims);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    }),
    { numRuns: 2000 },
  );
});
