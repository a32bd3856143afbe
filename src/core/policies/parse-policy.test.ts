import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capabilityList } from "./capability.ts";
import { parsePolicy } from "./parse-policy.ts";
import { PolicyError } from "./policy-error.ts";
import { policyWarnings } from "./policy-warnings.ts";

const now = new Date("2030-01-01T00:00:00Z");
const base64 = (text: string) => Buffer.from(text).toString("base64");

function failure(text: string): string {
  try {
    parsePolicy("p", text);
  } catch (error) {
    if (error instanceof PolicyError && error.status === 400) return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}

const summary = (text: string) =>
  parsePolicy("p", text).rules.map(({ path, capabilities }) => `${path}: ${capabilityList(capabilities)}`);

describe("a policy", () => {
  const hcl = 'path "a" { capabilities = ["read"] }\npath "b/*" { capabilities = ["list", "update"] }';
  const json = '{"path": {"a": {"capabilities": ["read"]}, "b/*": {"capabilities": ["list", "update"]}}}';
  const lists = '{"path": [{"a": [{"capabilities": ["read"]}]}, {"b/*": {"capabilities": ["list", "update"]}}]}';

  it.each([hcl, json, lists, base64(hcl), base64(json), ` ${base64(json)}\n`, `name = "other"\n${hcl}`])(
    "is read from %s",
    (text) => {
      expect(summary(text)).toEqual(["a: read", "b/*: list,update"]);
    },
  );

  it.each<[string, string[]]>([
    ["", []],
    ["# nothing", []],
    ["{}", []],
    ['path "/a" { capabilities = ["read"] }', ["a: read"]],
    ['path "a" { capabilities = ["read", "deny"] }', ["a: deny"]],
    ['path "a" { capabilities = [] }', ["a: deny"]],
    ['path "a" {}', ["a: deny"]],
    ['path "a" { policy = "write" }', ["a: create,delete,list,read,update"]],
    ['path "a" { policy = "read" capabilities = ["patch"] }', ["a: list,patch,read"]],
    ['path "a" { comment = "why" capabilities = ["scan"] }', ["a: scan"]],
    ['path "a" { capabilities = ["read"] } path "a" { capabilities = ["list"] }', ["a: read", "a: list"]],
  ])("%s means %j", (text, expected) => {
    expect(summary(text)).toEqual(expected);
  });

  it("keeps every setting of a rule", () => {
    const [rule] = parsePolicy(
      "p",
      `path "a" {
        capabilities = ["list", "update"]
        allowed_parameters = { Name = ["x", 5, true], other = [] }
        denied_parameters { "*" = [] }
        required_parameters = ["Ttl", "ttl"]
        min_wrapping_ttl = "1m"
        max_wrapping_ttl = 90
        mfa_methods = ["one", "two", "one"]
        pagination_limit = 20
        expiration = "2031-02-03T04:05:06+01:00"
        list_scan_response_keys_filter_path = "{{ .path }}{{ .key }}"
      }`,
    ).rules;
    expect(rule).toMatchObject({
      line: 1,
      allowedParameters: new Map([
        ["name", ["x", 5, true]],
        ["other", []],
      ]),
      deniedParameters: new Map([["*", []]]),
      requiredParameters: ["ttl"],
      minWrappingTtl: 60,
      maxWrappingTtl: 90,
      mfaMethods: ["one", "two"],
      paginationLimit: 20,
      expires: Date.parse("2031-02-03T03:05:06Z"),
      keyFilter: { text: "{{ .path }}{{ .key }}" },
    });
  });

  const inRule = (setting: string) => `path "a" { capabilities = ["read"] ${setting} }`;

  it.each<[string, string]>([
    ['path "a" { wat = 1 }', 'path "a": invalid key "wat" on line 1'],
    ['path "a" {\n\n  wat = 1 }', 'path "a": invalid key "wat" on line 3'],
    ['{"path": {"a": {\n"wat": 1}}}', 'path "a": invalid key "wat" on line 2'],
    ['path "a" { __proto__ = 1 }', 'path "a": invalid key "__proto__" on line 1'],
    ["wat = 1", 'invalid key "wat" on line 1'],
    ['path "a" { capabilities = ["wat"] }', 'path "a": invalid capability "wat"'],
    ['path "a" { capabilities = ["Read"] }', 'path "a": invalid capability "Read"'],
    ['path "a" { capabilities = ["constructor"] }', 'path "a": invalid capability "constructor"'],
    ['path "a" { capabilities = "read" }', 'path "a": expected a list of strings, found a string'],
    ['path "a" { policy = "wat" }', 'path "a": invalid policy "wat"'],
    ['path "a" { capabilities = ["deny"] capabilities = ["read"] }', 'path "a": "capabilities" is set again on line 1'],
    ["path a b {}", 'At 1:8: "path" takes 1 label, found 2'],
    ['path "a" = 1', "At 1:10: "],
    ['path = "a"', 'At 1:8: "path" must be a block, found a string'],
    ["name = 5", "name on line 1 must be a string"],
    ['path "a" {', "At 1:11: "],
    ["path %", "At 1:6: "],
    ['{"path": ', "At 1:10: "],
    ['path "a/+*" {}', "path \"a/+*\": invalid use of wildcards ('+*' is forbidden)"],
    ['path "+*" {}', "path \"+*\": invalid use of wildcards ('+*' is forbidden)"],
    ['path "a/{{x" {}', 'path "a/{{x": unbalanced templating characters'],
    ['path "a/x}}" {}', 'path "a/x}}": unbalanced templating characters'],
    ['path "{{a}}}}" {}', 'path "{{a}}}}": unbalanced templating characters'],
    ['path "{{a {{b}}" {}', 'path "{{a {{b}}": unbalanced templating characters'],
    [
      inRule('min_wrapping_ttl = "2m" max_wrapping_ttl = "1m"'),
      "max_wrapping_ttl cannot be less than min_wrapping_ttl",
    ],
    [inRule('min_wrapping_ttl = "soon"'), 'path "a": min_wrapping_ttl on line 1: "soon" is not a duration'],
    [inRule("max_wrapping_ttl = -1"), "max_wrapping_ttl on line 1: a duration here cannot be negative"],
    [inRule("max_wrapping_ttl = []"), "max_wrapping_ttl on line 1: expected a string or a number, found a list"],
    [inRule('pagination_limit = "many"'), "pagination_limit on line 1: expected a whole number"],
    [inRule("pagination_limit = -1"), "pagination_limit on line 1: expected a whole number"],
    [inRule('expiration = "tomorrow"'), 'expiration on line 1: "tomorrow" is not a time'],
    [inRule("allowed_parameters = 5"), "allowed_parameters on line 1: expected a map of lists, found a number"],
    [inRule('allowed_parameters = { a = "x" }'), 'allowed_parameters on line 1: the values of "a" must be a list'],
    [inRule("denied_parameters = { a = [], A = [] }"), 'denied_parameters on line 1: "A" stands there twice'],
    [inRule("required_parameters = [1]"), "required_parameters on line 1: expected a string, found a number"],
    [inRule('list_scan_response_keys_filter_path = "x/{{ .key }}"'), "needs the list or scan capability beside it"],
    [inRule('list_scan_response_keys_filter_path = "x"'), "it must contain {{ .key }}"],
    [inRule('list_scan_response_keys_filter_path = "{{ .other }}"'), "use {{ .path }} and {{ .key }}"],
    [inRule('list_scan_response_keys_filter_path = "{{ .key"'), "use {{ .path }} and {{ .key }}"],
    [base64('path "a" { wat = 1 }'), 'path "a": invalid key "wat" on line 1'],
  ])("is refused: %s", (text, message) => {
    const found = failure(text);
    expect(found).toMatch(/^failed to parse policy: /);
    expect(found).toContain(message);
  });

  it.each<[string, string[]]>([
    ["s/{{identity.entity.nickname}}/*", ["{{identity.entity.nickname}} names nothing that a caller can have"]],
    ["s/{{ identity.groups.names.x }}", ["names nothing"]],
    ["s/{{identity.entity.name}}/*", []],
    ["s/*/c", ['"*" is a wildcard only as the last character']],
    ["s/{{identity.entity.id}}*/c", ['"*" is a wildcard only']],
    ["s/a+/c", ['"+" is a wildcard only as a whole segment']],
    ["s/+/c", []],
    ["s/+", []],
    ["//s", ["do not begin with a slash"]],
    ["v1/secret/data/a", ['without the "v1/"']],
    ["s/../a", ['".."']],
  ])("warns about the path %s: %j", (path, expected) => {
    const warnings = policyWarnings(parsePolicy("p", `path "${path}" { capabilities = ["read"] }`), now);
    expect(warnings).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it.each<[string, string[]]>([
    ["capabilities = []", ["no capabilities, so the rule denies what it matches"]],
    ["", ["no capabilities"]],
    ['capabilities = ["sudo"]', ["sudo grants nothing without"]],
    ['capabilities = ["read", "deny"]', ["deny stands alone"]],
    ['capabilities = ["deny"]', []],
    ['capabilities = ["read"] expiration = "2029-12-31T00:00:00Z"', ["the expiration has passed"]],
    ['capabilities = ["read"] expiration = "2030-12-31T00:00:00Z"', []],
    ['capabilities = ["read"] mfa_methods = ["x"]', ["a rule with mfa_methods refuses everything"]],
    ['capabilities = ["update"] allowed_parameters = { "*" = ["x"] }', ["its list of values has no effect"]],
    ['capabilities = ["list"] allowed_parameters = { a = ["x"] }', ["checked on read, create, update and patch only"]],
  ])("warns about %s: %j", (settings, expected) => {
    const warnings = policyWarnings(parsePolicy("p", `# first line\npath "s" { ${settings} }`), now);
    expect(warnings).toEqual(expected.map((text) => expect.stringContaining(text)));
    for (const warning of warnings) expect(warning).toMatch(/^path "s" on line 2: /);
  });

  it("warns that a deny with a template passes by those without a value", () => {
    const text = 'path "s/{{identity.entity.name}}" { capabilities = ["deny"] }';
    expect(policyWarnings(parsePolicy("p", text), now)).toEqual([expect.stringContaining("is not denied")]);
  });
});

describe("reading any text", () => {
  const word = fc.constantFrom(
    "path",
    "name",
    "{",
    "}",
    "[",
    "]",
    "=",
    ",",
    ":",
    '"a"',
    '"{{identity.entity.id}}"',
    '"{{"',
    "capabilities",
    '"capabilities"',
    '"read"',
    "allowed_parameters",
    "expiration",
    "pagination_limit",
    "list_scan_response_keys_filter_path",
    '"{{ .key }}"',
    "min_wrapping_ttl",
    "1",
    "-2",
    "true",
    "\n",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(word, { maxLength: 30 }).map((words) => words.join(" ")),
    fc.json(),
    fc.object().map((object) => JSON.stringify({ path: object })),
    fc.object().map((object) => JSON.stringify({ path: { a: object } })),
  );

  it("gives a policy or a PolicyError, and nothing else", () => {
    fc.assert(
      fc.property(text, (given) => {
        try {
          const policy = parsePolicy("p", given);
          policyWarnings(policy, now);
        } catch (error) {
          expect(error).toBeInstanceOf(PolicyError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("gives the same for the base64 of it", () => {
    const outcome = (given: string) => {
      try {
        return summary(given);
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const given = `# ${words.join(" ")}`;
        expect(outcome(base64(given))).toEqual(outcome(given));
      }),
    );
  });
});
