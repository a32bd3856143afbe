import { describe, expect, it } from "vitest";
import { Acl } from "./acl.ts";
import type { AccessOperation } from "./capability.ts";
import { visibleKeys } from "./key-filter.ts";
import { parsePolicy } from "./parse-policy.ts";
import type { AccessRequest } from "./verdict.ts";

const now = new Date("2030-01-01T00:00:00Z");

/** Each text is a policy of its own: `a`, `b`, … */
const aclOf = (...texts: string[]) =>
  new Acl(texts.map((text, index) => parsePolicy(String.fromCharCode(97 + index), text)));

/** `s/a read,list` is a rule. */
const ruleText = (short: string) => {
  const [path = "", names = ""] = short.split(" ");
  const list = names.split(",").filter((name) => name !== "");
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(list)} }\n`;
};

const aclOfRules = (...rules: string[]) => aclOf(rules.map(ruleText).join(""));

const capabilities = (acl: Acl, path: string) => acl.capabilities(path, now).join(",");

describe("one rule decides: the most specific", () => {
  it.each<[string[], Record<string, string>]>([
    [["s/a/b read", "s/a/* update"], { "s/a/b": "read", "s/a/c": "update" }],
    [["s/a* read", "s/* update"], { "s/abc": "read", "s/bcd": "update" }],
    [["s/a* read", "s/+ update"], { "s/abc": "read", "s/x": "update" }],
    [["s/+ read", "s/* update"], { "s/x": "read", "s/x/y": "update" }],
    [["s/+/b/c read", "s/a/+/c update"], { "s/a/b/c": "update", "s/z/b/c": "read" }],
    [["s/+/bar read", "s/+/ba* update"], { "s/x/bar": "read", "s/x/baz": "update" }],
    [["s/+/b/+ read", "s/+/+/+ update"], { "s/a/b/c": "read" }],
    [["s/+/b/c* read", "s/+/b/* update"], { "s/a/b/cc": "read", "s/a/b/d": "update" }],
    [["s/a/b/* read", "s/a/+/c update"], { "s/a/b/c": "read" }],
    [["s/* deny", "s/a read"], { "s/a": "read", "s/b": "deny" }],
    [["s/* read", "s/x* deny"], { "s/a": "read", "s/xy": "deny" }],
    [["s/a read,deny"], { "s/a": "deny" }],
    [["s/+/c read"], { "s/a/c": "read", "s//c": "read", "s/a/b/c": "deny", "s/c": "deny" }],
    [["s/a+/c read"], { "s/ab/c": "deny", "s/a+/c": "read" }],
    [["s/*/c read"], { "s/a/c": "deny", "s/*/c": "read" }],
    [["s/dir list"], { "s/dir": "list", "s/dir/": "list" }],
    [["s/dir/ list"], { "s/dir": "deny", "s/dir/": "list" }],
    [["s/a/* read"], { "s/a": "deny", "s/a/": "read", "s/a/b": "read" }],
    [["* read"], { "": "read", anything: "read", "sys/mounts": "read" }],
    [["+ read"], { one: "read", "one/two": "deny" }],
    [["s/a "], { "s/a": "deny" }],
    [["/s/a read"], { "s/a": "read" }],
    [["s/a read", "s/a update"], { "s/a": "read,update" }],
    [["s/+/+/c read", "s/+/b/+ update"], { "s/a/b/c": "update" }],
    [["s/+/+/cc read", "s/+/bb/+ update"], { "s/a/bb/cc": "update" }],
    [["s/+/b* read", "s/+/+/c* update"], { "s/a/b/c": "read", "s/a/x/c": "update" }],
    [[], { "s/a": "deny" }],
  ])("%j", (rules, expected) => {
    const acl = aclOfRules(...rules);
    const found = Object.fromEntries(Object.keys(expected).map((path) => [path, capabilities(acl, path)]));
    expect(found).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ["s/a read", "s/a update", "read,update"],
    ["s/a read", "s/a deny", "deny"],
    ["s/a deny", "s/a read", "deny"],
    ["s/a read", "s/* delete", "read"],
  ])("two policies, %j and %j, give %j on s/a", (first, second, expected) => {
    expect(capabilities(aclOf(ruleText(first), ruleText(second)), "s/a")).toBe(expected);
  });

  it.each(["pk", "pk*", "pk/", "+", "+/"])("a list of the mount pk/ is allowed by %j", (path) => {
    const acl = aclOfRules(`${path} list`);
    expect(acl.allows({ operation: "list", path: "pk/", now })).toMatchObject({ allowed: true, rule: path });
    expect(acl.allows({ operation: "scan", path: "pk/", now }).allowed).toBe(false);
  });

  it.each<[AccessOperation, string, string | undefined]>([
    ["list", "s/dir/", "s/dir"],
    ["scan", "s/dir/", "s/dir"],
    ["read", "s/dir/", undefined],
    ["list", "s/other/", "s/+"],
    ["list", "s/more/", "s/more/*"],
  ])("%s of %s is decided by %j", (operation, path, rule) => {
    const acl = aclOfRules("s/dir list", "s/+ list", "s/more/* list");
    expect(acl.allows({ operation, path, now }).rule).toBe(rule);
  });

  it("a deny below a folder is not passed by listing the folder's name", () => {
    const acl = aclOfRules("s/dir* list", "s/dir/* deny");
    expect(acl.allows({ operation: "list", path: "s/dir/", now }).allowed).toBe(false);
  });

  it("finds the right one among many heads", () => {
    const acl = aclOfRules(
      ...Array.from({ length: 300 }, (_, index) => `s/${index}/* read`),
      "s/1* list",
      "s/2/3/* update",
    );
    expect(capabilities(acl, "s/17/x")).toBe("read");
    expect(capabilities(acl, "s/2/3/x")).toBe("update");
    expect(capabilities(acl, "s/2/4/x")).toBe("read");
    expect(capabilities(acl, "s/1999")).toBe("list");
    expect(capabilities(acl, "s/299999/x")).toBe("deny");
    expect(capabilities(acl, "s/")).toBe("deny");
  });
});

describe("operations and capabilities", () => {
  const operations: AccessOperation[] = ["create", "read", "update", "delete", "list", "scan", "patch"];

  it.each(operations)("%s is granted by its own capability only", (operation) => {
    const acl = aclOfRules(...operations.map((each) => `s/${each} ${each}`));
    const allowed = operations.filter((each) => acl.allows({ operation, path: `s/${each}`, now }).allowed);
    expect(allowed).toEqual([operation]);
  });

  it.each<[string, string]>([
    ["read", "list,read"],
    ["write", "create,delete,list,read,update"],
    ["sudo", "create,delete,list,read,sudo,update"],
    ["deny", "deny"],
  ])("the legacy policy %s means %s", (legacy, expected) => {
    expect(capabilities(aclOf(`path "s/a" { policy = "${legacy}" }`), "s/a")).toBe(expected);
  });

  it("says whether sudo comes with it", () => {
    const acl = aclOfRules("s/a read,sudo", "s/b read");
    expect(acl.allows({ operation: "read", path: "s/a", now })).toMatchObject({ allowed: true, sudo: true });
    expect(acl.allows({ operation: "read", path: "s/b", now })).toMatchObject({ allowed: true, sudo: false });
    expect(acl.allows({ operation: "update", path: "s/a", now })).toMatchObject({ allowed: false, sudo: true });
  });

  it("names the policies that grant the operation", () => {
    const acl = aclOf(ruleText("s/a read"), ruleText("s/a update"), ruleText("s/a read,list"), ruleText("s/* read"));
    expect(acl.allows({ operation: "read", path: "s/a", now }).policies).toEqual(["a", "c"]);
    expect(acl.allows({ operation: "update", path: "s/a", now }).policies).toEqual(["b"]);
    expect(acl.allows({ operation: "delete", path: "x", now }).policies).toEqual([]);
  });

  it("names the policies that a refusing rule comes from", () => {
    const acl = aclOf(ruleText("s/a read"), ruleText("s/a update"));
    expect(acl.allows({ operation: "delete", path: "s/a", now })).toMatchObject({
      allowed: false,
      policies: ["a", "b"],
    });
  });

  it("a rule that wants a second factor refuses, since none is checked", () => {
    const acl = aclOf('path "s/a" { capabilities = ["read"] mfa_methods = ["totp"] }');
    expect(acl.allows({ operation: "read", path: "s/a", now })).toMatchObject({
      allowed: false,
      reason: 'the rule for "s/a" wants a second factor, and this server checks none',
    });
  });

  it.each<[string, AccessOperation, string]>([
    ["x", "read", "no rule of any policy matches the path"],
    ["s/a", "update", 'the rule for "s/a" does not grant update'],
    ["s/b", "read", 'the rule for "s/b" denies the path'],
    ["s/a", "read", ""],
  ])("says why %s may not %s: %j", (path, operation, reason) => {
    expect(aclOfRules("s/a read", "s/b deny").allows({ operation, path, now }).reason).toBe(reason);
  });

  it("root may do everything, whatever else there is", () => {
    const acl = new Acl([parsePolicy("a", ruleText("* deny")), parsePolicy("root", "")]);
    expect(acl.allows({ operation: "delete", path: "sys/seal", now })).toMatchObject({
      allowed: true,
      sudo: true,
      root: true,
      policies: ["root"],
    });
    expect(acl.capabilities("x", now)).toEqual(["root"]);
  });
});

describe("parameters", () => {
  const lists = 'allowed_parameters { a = ["x", "y*"], b = [] }';
  const others = 'allowed_parameters { a = ["x"], "*" = [] }';
  const denied = 'denied_parameters { a = ["x"] }';
  const both = 'denied_parameters { a = ["x"] } allowed_parameters { a = ["x", "y"] }';

  it.each<[string, object, boolean]>([
    [lists, { a: "x" }, true],
    [lists, { a: "yes" }, true],
    [lists, { b: "any" }, true],
    [lists, { b: { deep: [1] } }, true],
    [lists, { a: "x", b: 1 }, true],
    [lists, { a: "z" }, false],
    [lists, { c: 1 }, false],
    [lists, { a: "x", c: 1 }, false],
    [lists, { A: "x" }, true],
    [lists, { A: "z" }, false],
    [lists, { a: ["x"] }, false],
    [lists, { a: null }, false],
    [lists, {}, true],
    ['allowed_parameters { A = ["x"] }', { a: "z" }, false],
    ['allowed_parameters { a = ["*-dev", "*mid*"] }', { a: "app-dev" }, true],
    ['allowed_parameters { a = ["*-dev", "*mid*"] }', { a: "a mid b" }, true],
    ['allowed_parameters { a = ["*-dev", "*mid*"] }', { a: "dev" }, false],
    ['allowed_parameters { a = ["*"] }', { a: "anything" }, true],
    ["allowed_parameters { a = [1, true] }", { a: 1 }, true],
    ["allowed_parameters { a = [1, true] }", { a: "1" }, true],
    ["allowed_parameters { a = [1, true] }", { a: true }, true],
    ["allowed_parameters { a = [1] }", { a: true }, false],
    ["allowed_parameters { a = [2, false] }", { a: "3" }, false],
    ['allowed_parameters { a = [["p", "q"]] }', { a: ["p", "q"] }, true],
    ['allowed_parameters { a = [["p", "q"]] }', { a: ["q", "p"] }, false],
    ['allowed_parameters { a = [{ k = "v" }] }', { a: { k: "v" } }, true],
    ['allowed_parameters { a = [{ k = "v" }] }', { a: { k: "v", l: 1 } }, false],
    [others, { c: 1, d: "2" }, true],
    [others, { a: "x", c: 1 }, true],
    [others, { a: "z" }, false],
    [denied, { a: "x" }, false],
    [denied, { A: "x" }, false],
    [denied, { a: "z" }, true],
    [denied, { b: "x" }, true],
    [denied, { a: ["y", "x"] }, false],
    ["denied_parameters { a = [] }", { a: "z" }, false],
    ["denied_parameters { a = [] }", { b: 1 }, true],
    ['denied_parameters { "*" = [] }', { b: 1 }, false],
    ['denied_parameters { "*" = [] }', {}, true],
    ["denied_parameters { a = [false] }", { a: "false" }, false],
    ["denied_parameters { a = [false] }", { a: "0" }, false],
    ["denied_parameters { a = [false] }", { a: "true" }, true],
    ['denied_parameters { a = ["false"] }', { a: false }, false],
    ['denied_parameters { a = ["false"] }', { a: 0 }, false],
    ['denied_parameters { a = ["10"] }', { a: "+10" }, false],
    ['denied_parameters { a = ["10"] }', { a: "0x0a" }, false],
    ["denied_parameters { a = [10] }", { a: "11" }, true],
    [both, { a: "x" }, false],
    [both, { a: "y" }, true],
    ['required_parameters = ["a"]', { a: 1 }, true],
    ['required_parameters = ["A"]', { a: 1 }, true],
    ['required_parameters = ["a"]', { b: 1 }, false],
    ['required_parameters = ["a"]', { a: null }, false],
    ['required_parameters = ["a"]', {}, false],
    ['required_parameters = ["constructor"]', {}, false],
    [`required_parameters = ["a"] ${others}`, { a: "x" }, true],
  ])("with %s, %j is allowed: %j", (constraint, body, allowed) => {
    const acl = aclOf(`path "s/*" { capabilities = ["create", "read", "update", "patch"] ${constraint} }`);
    for (const operation of ["create", "read", "update", "patch"] as const) {
      const request: AccessRequest = { operation, path: "s/a", body: { ...body }, now };
      expect(acl.allows(request).allowed, operation).toBe(allowed);
    }
  });

  it("are not checked on delete and list", () => {
    const acl = aclOf(`path "s/*" { capabilities = ["delete", "list"] required_parameters = ["a"] ${lists} }`);
    expect(acl.allows({ operation: "delete", path: "s/a", body: { c: "1" }, now }).allowed).toBe(true);
    expect(acl.allows({ operation: "list", path: "s/a/", body: { c: "1" }, now }).allowed).toBe(true);
  });

  it("never show a value in the reason", () => {
    const acl = aclOf(`path "s/a" { capabilities = ["update"] ${lists} }`);
    const { reason } = acl.allows({ operation: "update", path: "s/a", body: { a: "hunter2" }, now });
    expect(reason).toContain('the parameter "a" is not allowed');
    expect(reason).not.toContain("hunter2");
  });

  const rule = (constraint: string) => `path "s/a" { capabilities = ["update"] ${constraint} }`;

  it.each<[string, string, object, boolean]>([
    ['allowed_parameters { a = ["x"] }', 'allowed_parameters { a = ["y"], b = ["z"] }', { a: "x", b: "z" }, true],
    ['allowed_parameters { a = ["x"] }', 'allowed_parameters { a = ["y"] }', { a: "z" }, false],
    ['allowed_parameters { a = ["x"] }', "allowed_parameters { a = [] }", { a: "z" }, true],
    ["allowed_parameters { a = [] }", 'allowed_parameters { a = ["x"] }', { a: "z" }, true],
    ['allowed_parameters { a = ["x"] }', "", { b: "z" }, false],
    ['denied_parameters { a = ["x"] }', 'denied_parameters { a = ["y"] }', { a: "y" }, false],
    ['denied_parameters { a = ["x"] }', "denied_parameters { a = [] }", { a: "y" }, false],
    ['required_parameters = ["a"]', 'required_parameters = ["b"]', { a: 1 }, false],
    ['required_parameters = ["a"]', 'required_parameters = ["b"]', { a: 1, b: 2 }, true],
  ])("of two rules for one path add up: %s and %s, %j is allowed: %j", (first, second, body, allowed) => {
    const acl = aclOf(rule(first), rule(second));
    expect(acl.allows({ operation: "update", path: "s/a", body: { ...body }, now }).allowed).toBe(allowed);
  });
});

describe("wrapping", () => {
  const bounds = 'path "s/a" { capabilities = ["read", "delete"] min_wrapping_ttl = "1m" max_wrapping_ttl = 600 }';
  const lower = 'path "s/a" { capabilities = ["read"] min_wrapping_ttl = 30 max_wrapping_ttl = "45s" }';
  const contrary = 'path "s/a" { capabilities = ["read"] max_wrapping_ttl = 30 }';
  const most = 'path "s/a" { capabilities = ["read"] max_wrapping_ttl = "10m" }';

  it.each<[string[], number | undefined, boolean]>([
    [[bounds], undefined, false],
    [[bounds], 0, false],
    [[bounds], 30, false],
    [[bounds], 60, true],
    [[bounds], 600, true],
    [[bounds], 601, false],
    [[most], undefined, false],
    [[most], 1, true],
    [[bounds, lower], 30, true],
    [[bounds, lower], 45, true],
    [[bounds, lower], 46, false],
    [[bounds, contrary], 30, false],
    [[bounds, contrary], 60, false],
    [[ruleText("s/a read")], undefined, true],
    [[ruleText("s/a read")], 5, true],
  ])("%j with a TTL of %j is allowed: %j", (policies, wrapTtl, allowed) => {
    expect(aclOf(...policies).allows({ operation: "read", path: "s/a", wrapTtl, now }).allowed).toBe(allowed);
  });

  it("tells the bounds", () => {
    const { wrapping } = aclOf(bounds).allows({ operation: "delete", path: "s/a", wrapTtl: 60, now });
    expect(wrapping).toEqual({ min: 60, max: 600 });
  });
});

describe("pages", () => {
  const two = 'path "s/*" { capabilities = ["list", "scan"] pagination_limit = 2 }';
  const named = 'path "s/*" { capabilities = ["list"] pagination_limit = 2 required_parameters = ["limit"] }';
  const three = 'path "s/*" { capabilities = ["list"] pagination_limit = 3 }';
  const free = ruleText("s/* list");

  it.each<[string[], unknown, number | "free" | "refused"]>([
    [[two], undefined, 2],
    [[two], null, 2],
    [[two], "", 2],
    [[two], "0", 2],
    [[two], 0, 2],
    [[two], "max", 2],
    [[two], "1", 1],
    [[two], "2", 2],
    [[two], "3", "refused"],
    [[two], "-1", "refused"],
    [[two], "x", "refused"],
    [[two], "1.5", "refused"],
    [[two], ["1", "2"], "refused"],
    [[named], undefined, "refused"],
    [[named], null, "refused"],
    [[named], "max", 2],
    [[named], "2", 2],
    [[three, two], undefined, 2],
    [[two, three], undefined, 2],
    [[free, three], undefined, 3],
    [[free], undefined, "free"],
    [[free], "1000", "free"],
  ])("%j with a limit of %j: %j", (policies, limit, expected) => {
    const body = limit === undefined ? {} : { limit };
    const verdict = aclOf(...policies).allows({ operation: "list", path: "s/", body, now });
    expect(verdict.allowed ? (verdict.limit ?? "free") : "refused").toBe(expected);
  });

  it("of a scan are limited too", () => {
    expect(aclOf(two).allows({ operation: "scan", path: "s/", now }).limit).toBe(2);
  });
});

describe("expiration of a rule", () => {
  const text = `path "s/a" { capabilities = ["read"] expiration = "2030-01-01T01:00:00Z" }
    path "s/a" { capabilities = ["deny"] expiration = "2030-01-01T00:30:00Z" }
    path "s/*" { capabilities = ["list"] }`;

  it("leaves it out from that moment on, whatever was decided before", () => {
    const acl = aclOf(text);
    const at = (time: string) => acl.capabilities("s/a", new Date(`2030-01-01T${time}Z`)).join();
    expect(at("00:00:00")).toBe("deny");
    expect(at("00:29:59.999")).toBe("deny");
    expect(at("00:30:00")).toBe("read");
    expect(at("00:59:59")).toBe("read");
    expect(at("01:00:00")).toBe("list");
    expect(at("02:00:00")).toBe("list");
  });
});

describe("filters of listed keys", () => {
  const filter = (path: string) =>
    `path "s/" { capabilities = ["list"] list_scan_response_keys_filter_path = "${path}" }`;
  const rest = ["s/a read", "s/b update", "s/dir/* list", "s/dir2 list", "data/s/b read"].map(ruleText).join("");
  const keys = ["a", "b", "c", "dir/", "dir2/", "dir3/"];

  it.each<[string, string[]]>([
    ["{{ .path }}{{ .key }}", ["a", "dir/", "dir2/"]],
    ["{{.path}}{{.key}}", ["a", "dir/", "dir2/"]],
    ["data/{{ .path }}{{ .key }}", ["b"]],
    ["s/{{ .key }}", ["a", "dir/", "dir2/"]],
  ])("%s", (path, expected) => {
    const acl = aclOf(filter(path) + rest);
    const verdict = acl.allows({ operation: "list", path: "s/", now });
    expect(visibleKeys(acl, verdict.keyFilter!, "s/", keys, now)).toEqual(expected);
  });

  it("the first of two wins, and only lists have one", () => {
    const acl = aclOf(ruleText("s/ read"), filter("x/{{ .key }}"), filter("y/{{ .key }}"));
    expect(acl.allows({ operation: "list", path: "s/", now }).keyFilter?.text).toBe("x/{{ .key }}");
    expect(acl.allows({ operation: "read", path: "s/", now }).keyFilter).toBeUndefined();
  });
});

describe("reach", () => {
  it.each<[string, string, boolean]>([
    ["secret/a read", "secret/", true],
    ["secret list", "secret/", true],
    ["secret/a deny", "secret/", false],
    ["secret/a ", "secret/", false],
    ["sec* read", "secret/", true],
    ["secrets/* read", "secret/", false],
    ["secret/data/* read", "secret/", true],
    ["+/data/x read", "secret/", true],
    ["+/data/x read", "secret/data/", true],
    ["+/data/x read", "secret/metadata/", false],
    ["+ read", "secret/", true],
    ["+ read", "secret/a/", false],
    ["secret/+/x read", "secret/a/", true],
    ["secret/+/x read", "secret/a/y/", false],
    ["secret/+/x read", "secret/a/x/y/", false],
    ["secret/+/x* read", "secret/a/x/y/", true],
  ])("%j reaches %s: %j", (rule, path, expected) => {
    expect(aclOfRules(rule).reaches(path, now)).toBe(expected);
  });

  it("ends where a path is denied, whichever rule came first", () => {
    expect(aclOfRules("secret/a deny", "secret/a read").reaches("secret/", now)).toBe(false);
    expect(aclOfRules("secret/a read", "secret/a deny").reaches("secret/", now)).toBe(false);
  });
});
