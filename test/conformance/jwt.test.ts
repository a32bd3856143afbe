/** The JWT and OIDC method as the interface document words it, on two processes that share a store. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jwt, oidc } from "../../src/auth/jwt/engine.ts";
import { pemOf, rsaPair, signToken } from "../../src/auth/jwt/issuer-fixture.suite.ts";
import {
  clientId,
  clientSecret,
  localRedirect,
  Person,
  TestProvider,
} from "../../src/auth/jwt/oidc/provider-fixture.suite.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

let caller: KernelCaller;
let neighbor: KernelCaller;
let provider: TestProvider;
const clock = { now: 0 };
const now = () => Math.floor(clock.now / 1000);

beforeAll(async () => {
  const store = new MemoryStore();
  clock.now = Date.now();
  provider = await new TestProvider().start();
  caller = await new KernelCaller([jwt, oidc], store, clock).initialize();
  neighbor = new KernelCaller([jwt, oidc], store, clock);
  await neighbor.call("write", "sys/unseal", { key: caller.keys[0] }, "");
  neighbor.rootToken = caller.rootToken;
  await caller.call("write", "sys/auth/jwt", { type: "jwt" });
  await caller.call("write", "sys/auth/oidc", { type: "oidc" });
  await caller.call("write", "auth/jwt/config", { jwt_validation_pubkeys: pemOf(rsaPair), default_role: "ci" });
  await caller.call("write", "auth/oidc/config", {
    oidc_discovery_url: provider.issuer,
    oidc_client_id: clientId,
    oidc_client_secret: clientSecret,
    default_role: "staff",
  });
});
afterAll(() => provider.stop());

describe("every field of a role is kept", () => {
  test.each<[string, unknown, unknown]>([
    ["role_type", "jwt", "jwt"],
    ["bound_audiences", "a,b", ["a", "b"]],
    ["bound_audiences", ["a"], ["a"]],
    ["user_claim", "email", "email"],
    ["user_claim_json_pointer", "true", true],
    ["clock_skew_leeway", "2m", 120],
    ["expiration_leeway", -1, -1],
    ["not_before_leeway", "30", 30],
    ["bound_subject", "bob", "bob"],
    ["bound_claims", { "/a/b": ["x", "y"], c: "z" }, { "/a/b": ["x", "y"], c: "z" }],
    ["bound_claims_type", "glob", "glob"],
    ["groups_claim", "/x/groups", "/x/groups"],
    ["claim_mappings", { "/a": "b" }, { "/a": "b" }],
    ["oauth2_metadata", "access_token,id_token,refresh_token", ["access_token", "id_token", "refresh_token"]],
    ["oidc_scopes", ["profile"], ["profile"]],
    ["allowed_redirect_uris", localRedirect, [localRedirect]],
    ["callback_mode", "device", "device"],
    ["poll_interval", "7", 7],
    ["oidc_disable_confirmation", true, true],
    ["verbose_oidc_logging", true, true],
    ["max_age", "1h", 3600],
    ["token_policies_template_claims", true, true],
    ["token_ttl", "1h", 3600],
    ["token_max_ttl", 7200, 7200],
    ["token_explicit_max_ttl", "3h", 10_800],
    ["token_period", "5m", 300],
    ["token_policies", "a,b", ["a", "b"]],
    ["policies", ["a"], ["a"]],
    ["token_bound_cidrs", "10.0.0.0/8,192.168.1.1", ["10.0.0.0/8", "192.168.1.1"]],
    ["token_strictly_bind_ip", true, true],
    ["token_no_default_policy", true, true],
    ["token_num_uses", 5, 5],
    ["token_type", "service", "service"],
  ])("%s: %j is read as %j", async (field, given, expected) => {
    const body = { role_type: "jwt", user_claim: "sub", bound_audiences: "a", [field]: given };
    await caller.call("write", "auth/jwt/role/field", body);
    expect((await neighbor.call("read", "auth/jwt/role/field")).data[field]).toEqual(expected);
    await caller.call("delete", "auth/jwt/role/field");
  });
});

describe("defaults", () => {
  test("of a role: oidc, client mode, exact comparison, nothing switched on", async () => {
    await caller.call("write", "auth/jwt/role/plain", { user_claim: "sub", allowed_redirect_uris: localRedirect });
    expect((await caller.call("read", "auth/jwt/role/plain")).data).toMatchObject({
      role_type: "oidc",
      callback_mode: "client",
      bound_claims_type: "string",
      token_ttl: 0,
      ttl: 0,
      policies: [],
      bound_cidrs: [],
      num_uses: 0,
      period: 0,
      max_ttl: 0,
    });
  });

  test("of leeways: 60, 150 and 150 seconds for 0, none for -1, each edge two seconds to either side", async () => {
    const settings = { role_type: "jwt", user_claim: "sub", bound_audiences: "a" };
    const login = (claims: object) =>
      caller
        .call("write", "auth/jwt/login", { role: "time", jwt: signToken({ sub: "bob", aud: "a", ...claims }) }, "")
        .then(
          () => true,
          () => false,
        );
    const none = { expiration_leeway: -1, not_before_leeway: -1, clock_skew_leeway: -1 };
    for (const [leeways, late, early, skew] of [
      [{}, 210, 210, 60],
      [none, 0, 0, 0],
      [{ expiration_leeway: "10s", not_before_leeway: 20, clock_skew_leeway: "5s" }, 15, 25, 5],
    ] as const) {
      await caller.call("delete", "auth/jwt/role/time");
      await caller.call("write", "auth/jwt/role/time", { ...settings, ...leeways });
      const long = { iat: now() - 9000, nbf: now() - 9000, exp: now() + 9000 };
      expect(await login({ ...long, exp: now() - late + 2 })).toBe(true);
      expect(await login({ ...long, exp: now() - late - 2 })).toBe(false);
      expect(await login({ ...long, nbf: now() + early - 2 })).toBe(true);
      expect(await login({ ...long, nbf: now() + early + 2 })).toBe(false);
      expect(await login({ ...long, iat: now() + skew - 2 })).toBe(true);
      expect(await login({ ...long, iat: now() + skew + 2 })).toBe(false);
    }
  });
});

test("create and update are told apart", async () => {
  const rules = 'path "auth/jwt/role/*" { capabilities = ["create"] }';
  await caller.call("write", "sys/policies/acl/maker", { policy: rules });
  const { auth } = await caller.call("write", "auth/token/create", { policies: ["maker"] });
  const write = () =>
    caller.call(
      "write",
      "auth/jwt/role/new",
      { role_type: "jwt", user_claim: "sub", bound_subject: "x" },
      auth.client_token,
    );
  await write();
  await expect(write()).rejects.toMatchObject({ status: 403 });
});

test("everything but logging in needs a token", async () => {
  for (const [operation, path] of [
    ["read", "auth/jwt/config"],
    ["write", "auth/jwt/config"],
    ["list", "auth/jwt/role"],
    ["read", "auth/jwt/role/x"],
    ["write", "auth/jwt/cel/roles/x"],
    ["list", "auth/jwt/cel/roles"],
  ] as const) {
    await expect(caller.call(operation, path, {}, "")).rejects.toMatchObject({ status: 403 });
  }
});

test("a login under way goes on in any process, and ends in one", async () => {
  await caller.call("write", "auth/oidc/role/staff", {
    user_claim: "sub",
    allowed_redirect_uris: localRedirect,
    callback_mode: "direct",
    token_policies: "staff",
  });
  const body = { redirect_uri: localRedirect, client_nonce: "mine" };
  const { auth_url, state } = (await caller.call("write", "auth/oidc/oidc/auth_url", body, "")).data;
  const back = await new Person("bob").logIn(auth_url);
  const page = await neighbor.exchange("read", "auth/oidc/oidc/callback", { ...back, confirmation: "1" }, "");
  expect(page.answer).toMatchObject({ status: 200 });
  const polls = [caller, neighbor, caller, neighbor].map((each) =>
    each.call("write", "auth/oidc/oidc/poll", { state, client_nonce: "mine" }, ""),
  );
  const given = (await Promise.allSettled(polls)).filter(({ status }) => status === "fulfilled");
  expect(given).toHaveLength(1);
  expect(given[0]).toMatchObject({ value: { auth: { policies: ["default", "staff"] } } });
});
