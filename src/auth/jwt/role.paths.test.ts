import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { jwt } from "./engine.ts";

let caller: EngineCaller;
beforeEach(() => {
  caller = callerOf(jwt, { maxLeaseSeconds: 86_400 });
});

const write = (body: object, name = "ci") => caller.call("write", `role/${name}`, body);
const read = async (name = "ci") => (await caller.call("read", `role/${name}`)).data;
const minimal = { role_type: "jwt", user_claim: "sub", bound_audiences: "a,b" };

describe("what is written can be read", () => {
  test("under the names of the interface document, and under current ones", async () => {
    expect((await write({ ...minimal, token_policies: "dev,prod", token_ttl: "1h", token_max_ttl: 7200 })).status).toBe(
      204,
    );
    expect(await read()).toEqual({
      name: "ci",
      role_type: "jwt",
      bound_audiences: ["a", "b"],
      user_claim: "sub",
      user_claim_json_pointer: false,
      clock_skew_leeway: 0,
      expiration_leeway: 0,
      not_before_leeway: 0,
      bound_subject: "",
      bound_claims: {},
      bound_claims_type: "string",
      groups_claim: "",
      claim_mappings: {},
      oauth2_metadata: [],
      oidc_scopes: [],
      allowed_redirect_uris: [],
      callback_mode: "client",
      poll_interval: 0,
      oidc_disable_confirmation: false,
      verbose_oidc_logging: false,
      max_age: 0,
      token_policies_template_claims: false,
      policies: ["dev", "prod"],
      ttl: 3600,
      max_ttl: 7200,
      period: 0,
      num_uses: 0,
      bound_cidrs: [],
      token_policies: ["dev", "prod"],
      token_ttl: 3600,
      token_max_ttl: 7200,
      token_explicit_max_ttl: 0,
      token_period: 0,
      token_bound_cidrs: [],
      token_strictly_bind_ip: false,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_type: "default",
    });
  });

  test("under older names", async () => {
    await write({ ...minimal, policies: "dev", ttl: 60, max_ttl: "2m", num_uses: 3, bound_cidrs: "10.0.0.0/8" });
    expect(await read()).toMatchObject({
      token_policies: ["dev"],
      token_ttl: 60,
      token_max_ttl: 120,
      token_num_uses: 3,
      token_bound_cidrs: ["10.0.0.0/8"],
      num_uses: 3,
    });
  });

  test("durations, negative leeways and maps in every spelling", async () => {
    await write({
      ...minimal,
      expiration_leeway: "-1",
      not_before_leeway: "5m",
      clock_skew_leeway: -1,
      max_age: "1h",
      claim_mappings: ["a=b"],
      bound_claims: { x: ["1", "2"], n: 5 },
    });
    expect(await read()).toMatchObject({
      expiration_leeway: -1,
      not_before_leeway: 300,
      clock_skew_leeway: -1,
      max_age: 3600,
      claim_mappings: { a: "b" },
      bound_claims: { x: ["1", "2"], n: 5 },
    });
  });

  test("what an update does not name stays; names are folded; a list has them in pages", async () => {
    await write(minimal, "One");
    await write({ token_ttl: "5m" }, "ONE");
    expect(await read("one")).toMatchObject({
      name: "one",
      role_type: "jwt",
      token_ttl: 300,
      bound_audiences: ["a", "b"],
    });
    await write(minimal, "two");
    expect((await caller.call("list", "role")).data).toEqual({ keys: ["one", "two"] });
    expect((await caller.call("list", "role", { after: "one", limit: 1 })).data).toEqual({ keys: ["two"] });
    expect(await caller.exists("role/ONE")).toBe(true);
    await caller.call("delete", "role/One");
    await expect(read("one")).rejects.toMatchObject({ status: 404 });
    expect(await caller.exists("role/one")).toBe(false);
  });

  test("names of claims in templates keep their case", async () => {
    await write({ ...minimal, token_policies: ["{{.Dept}}", " X "], token_policies_template_claims: true });
    expect((await read()).token_policies).toEqual(["{{.Dept}}", "X"]);
    await write({ token_ttl: 1 });
    expect((await read()).token_policies).toEqual(["{{.Dept}}", "X"]);
  });

  test("people may be sent anywhere but in device mode, where there is nowhere to send them", async () => {
    await write({ user_claim: "sub", callback_mode: "device" });
    expect(await read()).toMatchObject({ role_type: "oidc", callback_mode: "device" });
  });
});

describe("what is refused", () => {
  test.each<[string, object, string]>([
    ["no user claim", { role_type: "jwt", bound_audiences: "a" }, "a user claim must be defined on the role"],
    [
      "no redirect URI",
      { user_claim: "sub" },
      "'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified.",
    ],
    [
      "nothing bound",
      { role_type: "jwt", user_claim: "sub" },
      "must have at least one bound constraint when creating/updating a role",
    ],
    ["another type", { ...minimal, role_type: "saml" }, "invalid 'role_type': saml"],
    ["another mode", { ...minimal, callback_mode: "pigeon" }, "invalid 'callback_mode': pigeon"],
    ["another comparison", { ...minimal, bound_claims_type: "regex" }, "invalid 'bound_claims_type': regex"],
    [
      "a glob of a number",
      { ...minimal, bound_claims_type: "glob", bound_claims: { a: 5 } },
      "claim is not a string or list: 5",
    ],
    [
      "a glob of numbers",
      { ...minimal, bound_claims_type: "glob", bound_claims: { a: ["x", 5] } },
      "claim is not a string: 5",
    ],
    [
      "an object to compare with",
      { ...minimal, bound_claims: { a: {} } },
      "bound claim is not a string, bool, int or list",
    ],
    ["a mapping to role", { ...minimal, claim_mappings: { a: "role" } }, 'metadata key "role" is reserved'],
    [
      "two claims to one",
      { ...minimal, claim_mappings: { a: "x", b: "x" } },
      'multiple keys are mapped to metadata key "x"',
    ],
    ["an unknown token", { ...minimal, oauth2_metadata: "cookie" }, "Unrecognized oauth2 metadata name cookie"],
    [
      "ttl above max ttl",
      { ...minimal, token_ttl: 2, token_max_ttl: 1 },
      "'token_ttl' cannot be greater than 'token_max_ttl'",
    ],
    ["a negative ttl", { ...minimal, token_ttl: -1 }, "'token_ttl' cannot be negative"],
    ["an endless period", { ...minimal, token_period: "100d" }, "is greater than the backend's maximum lease TTL of"],
    [
      "a kind of token for other roles",
      { ...minimal, token_type: "default-batch" },
      "invalid 'token_type' value \"default-batch\"",
    ],
    ["periodic batch tokens", { ...minimal, token_type: "batch", token_period: 60 }, "'token_type' cannot be 'batch'"],
    [
      "two ways to bind addresses",
      { ...minimal, token_strictly_bind_ip: true, token_bound_cidrs: "10.0.0.1" },
      "token_strictly_bind_ip",
    ],
    [
      "a template with a mistake",
      { ...minimal, token_policies_template_claims: true, token_policies: ["ok", "{{.a"] },
      "failed to parse template policy [1]: template: template:1:1: unclosed action",
    ],
    ["a negative wait", { ...minimal, poll_interval: -1 }, "'poll_interval' cannot be negative"],
    ["claims that are no map", { ...minimal, bound_claims: [1] }, "bound_claims"],
  ])("%s", async (_, body, words) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  });

  test("a name that can be no name", async () => {
    await expect(write(minimal, "a b")).rejects.toMatchObject({ status: 400 });
    await expect(read("a b")).rejects.toMatchObject({ status: 404 });
  });
});

test("warnings", async () => {
  const { warnings } = await write({ ...minimal, token_max_ttl: "30d", verbose_oidc_logging: true });
  expect(warnings[0]).toContain("token max ttl is greater than the system or backend mount's maximum TTL value");
  expect(warnings[1]).toMatch(/^verbose_oidc_logging has been enabled for this role\./);
});
