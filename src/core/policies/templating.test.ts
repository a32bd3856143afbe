import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "./parse-policy.ts";
import { policyFor } from "./policy.ts";
import { fillTemplate, type IdentityView, parseTemplate } from "./templating.ts";

const strict = { slashes: false, wildcards: false };

const group = { id: "g-1", name: "ops", metadata: { region: "eu" } };

const identity: IdentityView = {
  entity: {
    id: "e-1",
    name: "ada",
    metadata: { team: "blue", "team.sub": "navy", path: "a/b", star: "a*", plus: "+", empty: "" },
    aliases: {
      auth_jwt_1: { id: "a-1", name: "ada@x", metadata: { zone: "z1" }, custom_metadata: { floor: "3" } },
    },
  },
  groups: { ids: { "g-1": group }, names: { ops: group } },
  now: new Date("2030-01-01T00:00:00.900Z"),
};
const nobody: IdentityView = { groups: { ids: {}, names: {} }, now: identity.now };

describe("a template in a path", () => {
  it.each<[string, string | undefined]>([
    ["s/{{identity.entity.id}}/x", "s/e-1/x"],
    ["s/{{ identity.entity.name }}/*", "s/ada/*"],
    ["{{identity.entity.name}}{{identity.entity.id}}", "adae-1"],
    ["s/{{identity.entity.metadata.team}}", "s/blue"],
    ["s/{{identity.entity.metadata.team.sub}}", "s/navy"],
    ["s/{{identity.entity.metadata.missing}}", undefined],
    ["s/{{identity.entity.metadata.empty}}*", undefined],
    ["s/{{identity.entity.metadata.path}}", undefined],
    ["s/{{identity.entity.metadata.star}}", undefined],
    ["s/{{identity.entity.metadata.plus}}", undefined],
    ["s/{{identity.entity.metadata.constructor}}", undefined],
    ["s/{{identity.entity.metadata}}", undefined],
    ["s/{{identity.entity.aliases.auth_jwt_1.id}}", "s/a-1"],
    ["s/{{identity.entity.aliases.auth_jwt_1.name}}", "s/ada@x"],
    ["s/{{identity.entity.aliases.auth_jwt_1.metadata.zone}}", "s/z1"],
    ["s/{{identity.entity.aliases.auth_jwt_1.custom_metadata.floor}}", "s/3"],
    ["s/{{identity.entity.aliases.auth_jwt_2.name}}", undefined],
    ["s/{{identity.entity.aliases.__proto__.name}}", undefined],
    ["s/{{identity.entity.aliases.auth_jwt_1}}", undefined],
    ["s/{{identity.groups.ids.g-1.name}}", "s/ops"],
    ["s/{{identity.groups.names.ops.id}}", "s/g-1"],
    ["s/{{identity.groups.names.ops.metadata.region}}", "s/eu"],
    ["s/{{identity.groups.names.other.id}}", undefined],
    ["s/{{identity.groups.other.ops.id}}", undefined],
    ["s/{{time.now}}", "s/1893456000"],
    ["s/{{time.now.plus.1h}}", "s/1893459600"],
    ["s/{{time.now.minus.1d}}", "s/1893369600"],
    ["s/{{time.now.times.2}}", undefined],
    ["s/{{time.now.plus.soon}}", undefined],
    ["s/{{wat}}", undefined],
    ["s/{{}}", undefined],
  ])("%s is filled in as %j", (text, expected) => {
    expect(fillTemplate(parseTemplate(text)!, identity, strict)).toBe(expected);
  });

  it.each(["identity.entity.id", "identity.entity.metadata.team", "identity.groups.names.ops.id"])(
    "{{%s}} has no value for a caller without identity",
    (selector) => {
      expect(fillTemplate(parseTemplate(`s/{{${selector}}}`)!, nobody, strict)).toBeUndefined();
    },
  );

  it.each<[string, boolean, boolean, string | undefined]>([
    ["path", true, false, "s/a/b"],
    ["path", false, true, undefined],
    ["star", false, true, "s/a*"],
    ["star", true, false, undefined],
    ["plus", false, true, "s/+"],
    ["empty", true, true, undefined],
  ])("metadata %s with slashes %j and wildcards %j: %j", (key, slashes, wildcards, expected) => {
    const template = parseTemplate(`s/{{identity.entity.metadata.${key}}}`)!;
    expect(fillTemplate(template, identity, { slashes, wildcards })).toBe(expected);
  });

  it("leaves other texts alone, braces or not", () => {
    expect(parseTemplate("s/a/{b}")).toBeUndefined();
  });

  it("can never reach outside its own segment, whatever the value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const caller = { ...identity, entity: { ...identity.entity!, name } };
        const filled = fillTemplate(parseTemplate("s/{{identity.entity.name}}/x")!, caller, strict);
        if (filled !== undefined) expect(filled.split("/")).toEqual(["s", name, "x"]);
        expect(filled === undefined).toBe(/^$|[/*+]/.test(name));
      }),
    );
  });
});

describe("a policy for a caller", () => {
  const policy = parsePolicy(
    "p",
    `path "s/{{identity.entity.name}}/*" { capabilities = ["read"] }
     path "s/{{identity.groups.names.other.id}}" { capabilities = ["deny"] }
     path "s/{{identity.entity.metadata.plus}}*" { capabilities = ["list"] }
     path "{{identity.entity.metadata.path}}" { capabilities = ["list"] }
     path "plain" { capabilities = ["read"] }`,
  );
  const paths = (view: IdentityView, freedom: typeof strict) =>
    policyFor(policy, view, freedom).rules.map(({ path }) => path);

  it("has the rules that apply, in their order", () => {
    expect(paths(identity, strict)).toEqual(["s/ada/*", "plain"]);
    expect(paths(nobody, strict)).toEqual(["plain"]);
    expect(paths(identity, { slashes: true, wildcards: false })).toEqual(["s/ada/*", "a/b", "plain"]);
  });

  it("never gets a mixture of wildcards", () => {
    expect(paths(identity, { slashes: true, wildcards: true })).toEqual(["s/ada/*", "a/b", "plain"]);
  });

  it.each([
    ["s/{{identity.entity.metadata.star}}", "s/a*"],
    ["s/{{identity.entity.metadata.path}}/*", "s/a/b/*"],
    ["s/{{identity.entity.metadata.plus}}*", "s/+*"],
  ])("keeps a refusal whatever its value holds: %s", (path, filled) => {
    for (const capabilities of ['["deny"]', "[]"]) {
      const refusing = parsePolicy("p", `path "${path}" { capabilities = ${capabilities} }`);
      expect(policyFor(refusing, identity, strict).rules.map((rule) => rule.path)).toEqual([filled]);
    }
  });

  it("is the policy itself when there is nothing to fill in", () => {
    const plain = parsePolicy("p", 'path "plain" { capabilities = ["read"] }');
    expect(policyFor(plain, identity, strict)).toBe(plain);
  });
});
