import { createHmac, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { KernelCaller } from "../../../test/support/kernel-caller.ts";
import { jwt, oidc } from "./engine.ts";
import { curvePair, jwkOf, KeyServer, otherRsaPair, pemOf, rsaPair, signToken } from "./issuer-fixture.suite.ts";

let caller: KernelCaller;
const clock = { now: Date.UTC(2030, 0, 1) };
const now = () => Math.floor(clock.now / 1000);
const claims = (more: object = {}) => ({ sub: "bob", aud: "strongroom", iat: now(), exp: now() + 300, ...more });

const config = (settings: object) => caller.call("write", "auth/jwt/config", settings);
const role = (settings: object, name = "ci") =>
  caller.call("write", `auth/jwt/role/${name}`, {
    role_type: "jwt",
    user_claim: "sub",
    bound_audiences: "strongroom",
    ...settings,
  });
const login = (token: string, name = "ci") => caller.call("write", "auth/jwt/login", { role: name, jwt: token }, "");

beforeAll(async () => {
  caller = await new KernelCaller([jwt, oidc], undefined, clock).initialize();
  await caller.call("write", "sys/auth/jwt", { type: "jwt" });
});

beforeEach(async () => {
  await config({ jwt_validation_pubkeys: [pemOf(rsaPair), pemOf(curvePair)] });
  await caller.call("delete", "auth/jwt/role/ci");
  await role({ token_policies: "ci", token_ttl: "10m" });
});

describe("a login", () => {
  test("gives a token with the role's policies, an entity and metadata", async () => {
    const { auth } = await login(signToken(claims()));
    expect(auth).toMatchObject({
      policies: ["ci", "default"],
      lease_duration: 600,
      renewable: true,
      metadata: { role: "ci" },
      token_type: "service",
    });
    const { data } = await caller.call("read", "auth/token/lookup-self", {}, auth.client_token);
    expect(data).toMatchObject({ display_name: "jwt-bob", path: "auth/jwt/login" });
    const entity = await caller.call("read", `identity/entity/id/${auth.entity_id}`);
    expect(entity.data.aliases[0]).toMatchObject({ name: "bob", metadata: { role: "ci" } });
  });

  test("in batch, with another algorithm, and by the default role", async () => {
    await config({ jwt_validation_pubkeys: [pemOf(curvePair)], default_role: "CI" });
    await role({ token_type: "batch" });
    const { auth } = await login(signToken(claims(), curvePair), "");
    expect(auth).toMatchObject({ token_type: "batch", renewable: false });
  });

  test("under the other name of the method", async () => {
    await caller.call("write", "sys/auth/oidc", { type: "oidc" });
    await caller.call("write", "auth/oidc/config", { jwt_validation_pubkeys: pemOf(rsaPair) });
    await caller.call("write", "auth/oidc/role/x", { role_type: "jwt", user_claim: "sub", bound_subject: "bob" });
    const { auth } = await caller.call(
      "write",
      "auth/oidc/login",
      { role: "x", jwt: signToken({ sub: "bob", iat: now() }) },
      "",
    );
    expect(auth.client_token).toMatch(/^s\./);
  });

  test("maps claims to metadata and groups", async () => {
    await role({
      claim_mappings: { email: "mail", "/address/city": "city", absent: "nothing" },
      groups_claim: "/team/groups",
      user_claim: "/team/lead",
      user_claim_json_pointer: true,
    });
    const group = await caller.call("write", "identity/group", {
      name: "ops",
      type: "external",
      policies: ["ops-policy"],
    });
    const accessor = (await caller.call("read", "sys/auth")).data["jwt/"].accessor;
    await caller.call("write", "identity/group-alias", {
      name: "ops",
      mount_accessor: accessor,
      canonical_id: group.data.id,
    });
    const token = signToken(
      claims({ email: "b@x.org", address: { city: "Wien" }, team: { lead: "ann", groups: ["ops", ""] } }),
    );
    const { auth } = await login(token);
    expect(auth.metadata).toEqual({ role: "ci", mail: "b@x.org", city: "Wien" });
    expect(auth.identity_policies).toEqual(["ops-policy"]);
  });

  test("fills claims into policies", async () => {
    await role({
      token_policies_template_claims: true,
      token_policies: [
        "team-{{.Department}}",
        '{{if index . "admin"}}admins{{end}}',
        "{{range .groups}}{{if eq . `ops`}}ops{{end}}{{end}}",
      ],
    });
    const { auth } = await login(signToken(claims({ Department: "R-D", groups: ["dev", "ops"] })));
    expect(auth.policies).toEqual(["default", "ops", "team-r-d"]);
    await expect(login(signToken(claims({ Department: "x".repeat(600), groups: [] })))).rejects.toThrow(
      "longer than 512",
    );
    await expect(login(signToken(claims({ groups: [] })))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(
        "failed to template policy [0]: unable to apply template: template: template:1:8",
      ),
    });
  });

  test("renews for as long as the role is there", async () => {
    const { auth } = await login(signToken(claims()));
    await role({ token_ttl: "20m" });
    const renewed = await caller.call("write", "auth/token/renew-self", {}, auth.client_token);
    expect(renewed.auth.lease_duration).toBe(1200);
    await caller.call("delete", "auth/jwt/role/ci");
    await expect(caller.call("write", "auth/token/renew-self", {}, auth.client_token)).rejects.toThrow(
      "role ci does not exist during renewal",
    );
  });

  test("comes from where the role allows", async () => {
    await role({ token_bound_cidrs: "10.0.0.0/8" });
    await expect(login(signToken(claims()))).rejects.toMatchObject({ status: 403 });
    const body = { role: "ci", jwt: signToken(claims()) };
    const { answer } = await caller.exchange("write", "auth/jwt/login", body, "", "10.1.2.3");
    expect(answer).toMatchObject({ auth: { policies: ["ci", "default"] } });
    await role({ token_bound_cidrs: "" });
  });
});

describe("a login is refused", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const confused = () => {
    const signed = `${part({ alg: "HS256" })}.${part(claims())}`;
    return `${signed}.${createHmac("sha256", pemOf(rsaPair)).update(signed).digest("base64url")}`;
  };
  const good = () => signToken(claims());

  test.each<[string, () => string, string]>([
    ["without a token", () => "", "missing token"],
    ["alg none", () => `${part({ alg: "none" })}.${part(claims())}.`, "unexpected algorithm"],
    ["HS256 with the public key", confused, "unexpected algorithm"],
    ["a stranger's key", () => signToken(claims(), otherRsaPair), "no known key successfully validated"],
    ["a weak key of its own", () => signToken(claims(), weak, { jwk: jwkOf(weak) }), "no known key"],
    [
      "a key embedded in the header",
      () => signToken(claims(), otherRsaPair, { jwk: jwkOf(otherRsaPair) }),
      "no known key",
    ],
    [
      "a key at an address",
      () => signToken(claims(), otherRsaPair, { jku: "http://127.0.0.1:1/keys", x5u: "http://127.0.0.1:1/c" }),
      "no known key",
    ],
    ["a key id that is a path", () => signToken(claims(), otherRsaPair, { kid: "../../dev/null" }), "no known key"],
    ["another algorithm's name", () => good().replace(/^[^.]+/, part({ alg: "PS256" })), "no known key"],
    ["another curve's name", () => signToken(claims(), curvePair, { alg: "ES384" }), "no known key"],
    ["white space", () => `${good()} `, "not canonical base64url"],
    ["spare bits", () => `${good().slice(0, -1)}${good().endsWith("w") ? "x" : "y"}`, "error validating token"],
    [
      "JSON serialization",
      () =>
        JSON.stringify({
          payload: good().split(".")[1],
          protected: good().split(".")[0],
          signature: good().split(".")[2],
        }),
      "three parts",
    ],
    [
      "a claim that stands twice",
      () => signToken(`{"sub":"bob","sub":"root","aud":"strongroom","exp":${now() + 60}}`),
      'duplicate key "sub"',
    ],
    ["critical headers", () => signToken(claims(), rsaPair, { crit: ["x"], x: 1 }), "crit"],
    ["no claims at all", () => signToken("[]"), "not a JSON object"],
    ["too long a token", () => `${"A".repeat(300_000)}.A.A`, "at most 262144"],
    ["another audience", () => signToken(claims({ aud: "other" })), "invalid audience (aud) claim"],
    ["no audience", () => signToken(claims({ aud: undefined })), "invalid audience (aud) claim"],
    ["an audience that is a number", () => signToken(claims({ aud: 5 })), "invalid audience (aud) claim"],
    [
      "no moment",
      () => signToken({ sub: "bob", aud: "strongroom" }),
      "no issued at (iat), not before (nbf), or expiration time (exp)",
    ],
    ["a moment that is a text", () => signToken(claims({ exp: "tomorrow" })), "exp is not a number"],
    ["no user", () => signToken(claims({ sub: undefined })), 'claim "sub" not found in token'],
    ["a user that is a number", () => signToken(claims({ sub: 5 })), 'claim "sub" could not be converted to string'],
    ["an empty user", () => signToken(claims({ sub: "" })), 'claim "sub" is empty'],
  ])("%s", async (_, token, words) => {
    await expect(login(token())).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  });

  test.each<[string, object, object, string]>([
    ["another issuer", {}, { iss: "https://eve.example" }, "invalid issuer (iss) claim"],
    ["another subject", { bound_subject: "ann" }, { iss: "us" }, "invalid subject (sub) claim"],
    [
      "audiences that nobody asked about",
      { bound_audiences: "", bound_subject: "bob" },
      { iss: "us" },
      "audience claim found in JWT but no audiences bound to the role",
    ],
    [
      "a claim that is missing",
      { bound_claims: { team: "a" } },
      { iss: "us" },
      'error validating claims: claim "team" is missing',
    ],
    [
      "a claim of another value",
      { bound_claims: { team: ["a", "b"] } },
      { iss: "us", team: ["c"] },
      'claim "team" does not match any associated bound claim values',
    ],
    ["a number for a text", { bound_claims: { n: "1" } }, { iss: "us", n: 1 }, "does not match"],
    [
      "an object",
      { bound_claims: { n: "1" } },
      { iss: "us", n: {} },
      "received claim is not a string, bool, int or list",
    ],
    [
      "a glob that does not fit",
      { bound_claims: { e: "*@x.org" }, bound_claims_type: "glob" },
      { iss: "us", e: "a@y.org" },
      "does not match",
    ],
    ["a group that is no text", { groups_claim: "g" }, { iss: "us", g: [1] }, "could not be parsed as string"],
    [
      "groups that are missing",
      { groups_claim: "g" },
      { iss: "us" },
      'failed to fetch groups: "g" claim not found in token',
    ],
    [
      "metadata that is no text",
      { claim_mappings: { n: "n" } },
      { iss: "us", n: 1 },
      "error converting claim 'n' to string",
    ],
  ])("%s", async (_, settings, more, words) => {
    await config({ jwt_validation_pubkeys: pemOf(rsaPair), bound_issuer: "us" });
    await role(settings, "strict");
    await expect(login(signToken(claims(more)), "strict")).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    });
    await caller.call("delete", "auth/jwt/role/strict");
  });

  test("for a role that is not there, or for people only", async () => {
    await expect(login(good(), "nope")).rejects.toThrow('role "nope" could not be found');
    await expect(login(good(), "")).rejects.toThrow("missing role");
    await caller.call("write", "auth/jwt/role/people", {
      user_claim: "sub",
      allowed_redirect_uris: "http://localhost:8250/oidc/callback",
    });
    await expect(login(good(), "people")).rejects.toThrow("role with oidc role_type is not allowed");
  });

  test("by an algorithm that the configuration leaves out", async () => {
    await config({ jwt_validation_pubkeys: [pemOf(rsaPair), pemOf(curvePair)], jwt_supported_algs: "ES256" });
    await expect(login(good())).rejects.toThrow("unexpected algorithm");
    expect((await login(signToken(claims(), curvePair))).auth.policies).toContain("ci");
  });
});

describe("bound claims that hold", () => {
  test.each<[object, object]>([
    [{ bound_claims: { team: "a", admin: true, level: 3 } }, { team: ["b", "a"], admin: true, level: 3 }],
    [{ bound_claims: { "/org/unit": ["x", "y"] } }, { org: { unit: "y" } }],
    [{ bound_claims: { "/list/1": "b" } }, { list: ["a", "b"] }],
    [{ bound_claims: '{"team":["a"]}' }, { team: "a" }],
    [{ bound_claims: { email: ["*@x.org", "root"] }, bound_claims_type: "glob" }, { email: "ann@x.org" }],
    [{ bound_claims: { aud: "strongroom" } }, {}],
  ])("%j with %j", async (settings, more) => {
    await role(settings, "bound");
    expect((await login(signToken(claims(more)), "bound")).auth.metadata).toEqual({ role: "bound" });
    await caller.call("delete", "auth/jwt/role/bound");
  });
});

describe("keys that an issuer publishes", () => {
  let issuer: KeyServer;
  beforeAll(async () => {
    issuer = await new KeyServer().start();
  });
  afterAll(() => issuer.stop());

  beforeEach(async () => {
    clock.now += 3_600_000;
    issuer.keys = [{ kty: "AKP", kid: "future" }, jwkOf(rsaPair, "one"), { ...jwkOf(otherRsaPair, "enc"), use: "enc" }];
    await config({ jwks_url: `${issuer.url}/keys` });
    issuer.asked = 0;
  });

  test("are fetched once, and again when they are rotated", async () => {
    await login(signToken(claims(), rsaPair, { kid: "one" }));
    await login(signToken(claims(), rsaPair, { kid: "one" }));
    await login(signToken(claims()));
    expect(issuer.asked).toBe(1);
    issuer.keys = [jwkOf(otherRsaPair, "two")];
    await login(signToken(claims(), otherRsaPair, { kid: "two" }));
    await expect(login(signToken(claims(), rsaPair, { kid: "one" }))).rejects.toThrow(
      "failed to verify id token signature",
    );
    expect(issuer.asked).toBe(3);
  });

  test("are rotated under the same name, or without any", async () => {
    await login(signToken(claims(), rsaPair, { kid: "one" }));
    issuer.keys = [jwkOf(curvePair), jwkOf(otherRsaPair, "one")];
    await login(signToken(claims(), otherRsaPair, { kid: "one" }));
    await login(signToken(claims(), curvePair));
    expect(issuer.asked).toBe(2);
  });

  test("are not asked for by everybody who makes a name up", async () => {
    await login(signToken(claims()));
    const bad = Array.from({ length: 300 }, (_, index) =>
      login(signToken(claims(), otherRsaPair, { kid: `kid-${index}` })).catch(() => "refused"),
    );
    expect(new Set(await Promise.all(bad))).toEqual(new Set(["refused"]));
    for (let index = 0; index < 100; index++) {
      await expect(login(signToken(claims(), otherRsaPair, { kid: `more-${index}` }))).rejects.toThrow(
        "failed to verify",
      );
    }
    expect(issuer.asked).toBeLessThanOrEqual(6);
    clock.now += 10_000;
    issuer.keys = [jwkOf(otherRsaPair, "late")];
    await login(signToken(claims(), otherRsaPair, { kid: "late" }));
  });

  test("are not needed while they are known, when the issuer is down", async () => {
    await login(signToken(claims()));
    issuer.status = 503;
    clock.now += 3_600_000;
    await login(signToken(claims()));
    await config({ jwks_url: `${issuer.url}/keys`, skip_jwks_validation: true });
    await expect(login(signToken(claims()))).rejects.toThrow("fetching keys the server answered with status 503");
    issuer.status = 200;
  });

  test("are found by discovery, under an issuer that agrees", async () => {
    await config({ oidc_discovery_url: issuer.url, bound_issuer: issuer.url });
    const { auth } = await login(signToken(claims({ iss: issuer.url })));
    expect(auth.policies).toContain("ci");
    await expect(config({ oidc_discovery_url: `${issuer.url}/` })).rejects.toThrow("error checking oidc discovery URL");
  });
});
