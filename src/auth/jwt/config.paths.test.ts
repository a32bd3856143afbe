import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { jwt } from "./engine.ts";
import { jwkOf, KeyServer, pemOf, rsaPair } from "./issuer-fixture.suite.ts";

let caller: EngineCaller;
let issuer: KeyServer;

beforeAll(async () => {
  issuer = await new KeyServer().start();
  issuer.keys = [jwkOf(rsaPair, "one")];
});
afterAll(() => issuer.stop());
beforeEach(() => {
  caller = callerOf(jwt);
  issuer.status = 200;
});

const write = (body: object) => caller.call("write", "config", body);
const read = async () => (await caller.call("read", "config")).data;

describe("what is written can be read", () => {
  test("keys, with every default", async () => {
    const { status } = await write({ jwt_validation_pubkeys: pemOf(rsaPair) });
    expect(status).toBe(204);
    expect(await read()).toEqual({
      oidc_discovery_url: "",
      oidc_discovery_ca_pem: [],
      oidc_client_id: "",
      oidc_response_mode: "query",
      oidc_response_types: ["code"],
      jwks_url: "",
      jwks_ca_pem: "",
      jwt_validation_pubkeys: [pemOf(rsaPair).trim()],
      bound_issuer: "",
      jwt_supported_algs: [],
      default_role: "",
      provider_config: {},
      override_allowed_server_names: [],
      namespace_in_state: true,
      status: "valid",
    });
  });

  test("a provider, without its secret", async () => {
    await write({
      oidc_discovery_url: issuer.url,
      oidc_client_id: "me",
      oidc_client_secret: "hush",
      oidc_response_mode: "form_post",
      oidc_response_types: "code,id_token",
      jwt_supported_algs: ["RS256", "EdDSA"],
      default_role: "Staff",
      bound_issuer: issuer.url,
      override_allowed_server_names: "a.example,b.example",
      provider_config: { provider: "azure" },
    });
    const data = await read();
    expect(JSON.stringify(data)).not.toContain("hush");
    expect(data).toMatchObject({
      oidc_response_types: ["code", "id_token"],
      jwt_supported_algs: ["RS256", "EdDSA"],
      default_role: "staff",
      override_allowed_server_names: ["a.example", "b.example"],
      provider_config: { provider: "azure" },
      status: "valid",
    });
  });

  test("a write replaces all but namespace_in_state", async () => {
    await write({ jwks_url: `${issuer.url}/keys`, bound_issuer: "x", namespace_in_state: false });
    await write({ jwt_validation_pubkeys: pemOf(rsaPair) });
    expect(await read()).toMatchObject({ jwks_url: "", bound_issuer: "", namespace_in_state: false });
  });

  test("nothing was written", async () => {
    await expect(read()).rejects.toMatchObject({ status: 404 });
  });
});

describe("a source that cannot be used", () => {
  test.each([
    ["jwks_url", "error checking jwks URL"],
    ["oidc_discovery_url", "error checking oidc discovery URL"],
  ])("%s is refused, or only warned of", async (field, words) => {
    issuer.status = 500;
    await expect(write({ [field]: issuer.url })).rejects.toMatchObject({ status: 400, message: words });
    await expect(read()).rejects.toMatchObject({ status: 404 });
    const { warnings } = await write({ [field]: issuer.url, skip_jwks_validation: true });
    expect(warnings).toEqual([words]);
    const invalid = await caller.call("read", "config");
    expect(invalid.data.status).toBe("invalid");
    expect(invalid.warnings[0]).toContain("failed to construct JWK validator: fetching keys");
    issuer.status = 200;
    caller.now += 60_000;
    expect((await read()).status).toBe("valid");
  });

  test("nobody is there", async () => {
    await expect(write({ jwks_url: "http://127.0.0.1:1/keys" })).rejects.toThrow("error checking jwks URL");
  });

  test("the provider names another issuer", async () => {
    await expect(write({ oidc_discovery_url: `${issuer.url}/` })).rejects.toThrow("error checking oidc discovery URL");
  });
});

describe("what is refused", () => {
  const key = pemOf(rsaPair);
  const small = pemOf(generateKeyPairSync("rsa", { modulusLength: 1024 }));
  const one =
    "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs', 'oidc_discovery_url', or 'provider_config' must be set";

  test.each<[string, object, string]>([
    ["nothing", {}, one],
    ["two sources", { jwks_url: "http://x/", jwt_validation_pubkeys: key }, one],
    ["three sources", { jwks_url: "http://x/", oidc_discovery_url: "http://x/", jwt_validation_pubkeys: key }, one],
    [
      "an id without secret",
      { oidc_discovery_url: "http://x", oidc_client_id: "a" },
      "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC",
    ],
    [
      "a secret without id",
      { oidc_discovery_url: "http://x", oidc_client_secret: "a" },
      "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC",
    ],
    [
      "the well-known part",
      { oidc_discovery_url: "http://x/.well-known/openid-configuration" },
      "'oidc_discovery_url' contains '.well-known' component",
    ],
    [
      "a client without a provider",
      { jwt_validation_pubkeys: key, oidc_client_id: "a", oidc_client_secret: "b" },
      "'oidc_discovery_url' must be set for OIDC",
    ],
    ["no URL", { jwks_url: "keys.example" }, "'jwks_url' is not a URL"],
    ["another scheme", { jwks_url: "file:///etc/passwd" }, "'jwks_url' is not a URL"],
    ["a broken authority", { jwks_url: "http://x", jwks_ca_pem: "nonsense" }, "error checking jwks_ca_pem"],
    [
      "no key",
      { jwt_validation_pubkeys: "nonsense" },
      "error parsing public key: data does not contain any valid public keys",
    ],
    [
      "two keys in one",
      { jwt_validation_pubkeys: [key + key] },
      "error parsing public key: unexpected trailing data after parsed PEM block",
    ],
    ["a weak key", { jwt_validation_pubkeys: small }, "error parsing public key: an RSA key of 1024 bits"],
    [
      "a symmetric algorithm",
      { jwt_validation_pubkeys: key, jwt_supported_algs: "HS256" },
      'invalid jwt_supported_algs: unsupported signing algorithm "HS256"',
    ],
    [
      "another response type",
      { jwt_validation_pubkeys: key, oidc_response_types: "token" },
      "invalid response_types [token]. 'code' and 'id_token' are allowed",
    ],
    [
      "id_token in a query",
      { jwt_validation_pubkeys: key, oidc_response_types: "id_token" },
      "query response_mode may not be used with an id_token response_type",
    ],
    ["another response mode", { jwt_validation_pubkeys: key, oidc_response_mode: "fragment" }, "oidc_response_mode"],
    [
      "settings without a provider",
      { jwt_validation_pubkeys: key, provider_config: { x: 1 } },
      "'provider' field not found in provider_config",
    ],
    [
      "an unknown provider",
      { jwt_validation_pubkeys: key, provider_config: { provider: "google" } },
      'provider "google" not found in custom providers',
    ],
    [
      "an unknown key of a provider",
      { jwt_validation_pubkeys: key, provider_config: { provider: "azure", tenant: "x" } },
      'unknown key "tenant"',
    ],
    [
      "gsuite without an administrator",
      { jwt_validation_pubkeys: key, provider_config: { provider: "gsuite" } },
      "gsuite_admin_impersonate",
    ],
    [
      "gsuite with a file",
      {
        jwt_validation_pubkeys: key,
        provider_config: { provider: "gsuite", gsuite_admin_impersonate: "a@x", gsuite_service_account: "/etc/passwd" },
      },
      "files of the server are not read",
    ],
    [
      "gsuite with a negative depth",
      { jwt_validation_pubkeys: key, provider_config: { provider: "gsuite", groups_recurse_max_depth: -1 } },
      "'gsuite_recurse_max_depth' must be a positive integer",
    ],
    [
      "kubernetes with an authority",
      { provider_config: { provider: "kubernetes" }, jwks_ca_pem: "x" },
      "error checking jwks_ca_pem",
    ],
    [
      "kubernetes outside of a cluster",
      { provider_config: { provider: "kubernetes" } },
      "error checking provider_config",
    ],
  ])("%s", async (_, body, words) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(words) });
  });
});
