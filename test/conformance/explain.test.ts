import { beforeAll, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

let server: KernelCaller;
let token: string;

beforeAll(async () => {
  server = await new KernelCaller(engines).initialize();
  const policy = `
    path "secret/data/web/*"   { capabilities = ["read"] }
    path "secret/data/web/top" { capabilities = ["deny"] }
    path "sys/audit"           { capabilities = ["read"] }
    path "sys/capabilities-explain" { capabilities = ["update"] }`;
  await server.call("write", "sys/policies/acl/web", { policy });
  token = (await server.call("write", "auth/token/create", { policies: ["web"] })).auth.client_token;
});

const explain = async (path: string, operation = "read") =>
  (await server.call("write", "sys/capabilities-explain", { path, operation }, token)).data;

describe("explains", () => {
  test("what is allowed, by which rule of which policy", async () => {
    expect(await explain("secret/data/web/a")).toMatchObject({
      allowed: true,
      rule: "secret/data/web/*",
      policies: ["web"],
      needed: "",
    });
  });

  test("what is denied, which rules came close, and what would be needed", async () => {
    const denied = await explain("secret/data/web/top");
    expect(denied).toMatchObject({ allowed: false, rule: "secret/data/web/top", policies: ["web"] });
    expect(denied.close).toContainEqual(
      expect.objectContaining({ path: "secret/data/web/*", why: "matches too, but a more specific rule decided" }),
    );
    expect(denied.needed).toBe('path "secret/data/web/top" { capabilities = ["read"] }');
  });

  test("the mistake that most people make once", async () => {
    const { allowed, close } = await explain("secret/web/a");
    expect(allowed).toBe(false);
    expect(close[0].why).toContain("with data/ in it");
  });

  test("that sudo is missing", async () => {
    expect(await explain("sys/audit")).toMatchObject({
      allowed: false,
      reason: "the path needs sudo as well",
      needed: 'path "sys/audit" { capabilities = ["read","sudo"] }',
    });
  });

  test("other tokens only with sudo", async () => {
    const ask = (caller: string) =>
      server.call("write", "sys/capabilities-explain", { path: "secret/data/x", token: server.rootToken }, caller);
    await expect(ask(token)).rejects.toMatchObject({ status: 403 });
    const { data } = await server.call("write", "sys/capabilities-explain", { path: "secret/data/web/a", token });
    expect(data.rule).toBe("secret/data/web/*");
  });
});
