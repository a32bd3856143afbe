import { beforeEach, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

let server: KernelCaller;

beforeEach(async () => {
  server = await new KernelCaller(engines).initialize();
  await server.call("write", "sys/policies/acl/maker", {
    policy: `
      path "auth/token/create"        { capabilities = ["update"] }
      path "auth/token/create-orphan" { capabilities = ["update"] }
      path "auth/token/create/*"      { capabilities = ["create", "update"] }
      path "auth/token/revoke-orphan" { capabilities = ["update"] }`,
  });
  await server.call("write", "sys/policies/acl/mighty", {
    policy: 'path "auth/token/*" { capabilities = ["create", "update", "read", "list", "sudo"] }',
  });
});

const create = async (body: object, token?: string, path = "auth/token/create") =>
  (await server.call("write", path, body, token)).auth;

const idOf = async (body: object, token?: string) => (await create(body, token)).client_token;

describe("what a token gets", () => {
  test("a service token looks as clients know it", async () => {
    const auth = await create({ policies: ["maker"], ttl: "1h", meta: { team: "web" }, display_name: "ci bot!" });
    expect(auth).toMatchObject({
      policies: ["default", "maker"],
      token_policies: ["default", "maker"],
      metadata: { team: "web" },
      lease_duration: 3600,
      renewable: true,
      token_type: "service",
      orphan: false,
      num_uses: 0,
    });
    expect(auth.client_token).toMatch(/^s\.[0-9A-Za-z]{24}$/);
    expect(auth.accessor).toMatch(/^[0-9A-Za-z]{24}$/);
    const { data } = await server.call("read", "auth/token/lookup-self", {}, auth.client_token);
    expect(data).toMatchObject({
      display_name: "token-ci-bot-",
      path: "auth/token/create",
      creation_ttl: 3600,
      ttl: 3600,
      type: "service",
      expire_time: "2030-01-01T01:00:00.000Z",
    });
  });

  test.each([
    ["no policies: those of the parent", {}, ["default", "maker"]],
    ["its own choice of the parent's", { policies: ["default"] }, ["default"]],
    ["without default", { policies: ["maker"], no_default_policy: true }, ["maker"]],
    ["cleaned: lower case, trimmed, once, sorted", { policies: ["  MAKER ", "maker"] }, ["default", "maker"]],
  ])("%s", async (_name, body, policies) => {
    const parent = await idOf({ policies: ["maker"] });
    expect((await create(body, parent)).policies).toEqual(policies);
  });

  test("a string of policies is one policy, commas and all", async () => {
    const { auth, warnings } = await server.call("write", "auth/token/create", { policies: "default,foo" });
    expect(auth.policies).toEqual(["default", "default,foo"]);
    expect(warnings).toContain('Policy "default,foo" does not exist');
  });

  test("root gives root, and root stands alone", async () => {
    expect(await create({})).toMatchObject({ policies: ["root"], lease_duration: 0, renewable: false });
    expect((await create({ policies: ["root", "maker"] })).policies).toEqual(["root"]);
  });
});

describe("refusals", () => {
  test.each([
    [{ policies: ["mighty"] }, "child policies must be subset of parent"],
    [{ policies: ["root"] }, "child policies must be subset of parent"],
    [{ no_parent: true }, "root or sudo privileges required to create orphan token"],
    [{ period: "1h" }, "root or sudo privileges required to create periodic token"],
    [{ id: "my-own" }, "root or sudo privileges required to specify token id"],
    [{ num_uses: -1 }, "number of uses cannot be negative"],
    [{ type: "weird" }, 'expected one of "", "service", "batch"'],
    [{ entity_alias: "web" }, "'entity_alias' is only allowed in combination with a token role"],
    [{ type: "batch", num_uses: 2 }, 'batch tokens cannot have "num_uses" set'],
  ])("%j by a caller without sudo", async (body, message) => {
    const parent = await idOf({ policies: ["maker"] });
    await expect(create(body, parent)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [{ policies: ["root"] }, "root tokens may not be created without parent token being root"],
    [{ policies: ["response-wrapping"] }, 'cannot assign policy "response-wrapping"'],
    [{ id: "a.b" }, "custom token ID cannot contain the '.' character"],
    [{ id: "s.aaaa" }, "custom token ID cannot have the 's.'"],
    [{ type: "batch", period: "1h" }, 'batch tokens cannot have "period" set'],
  ])("%j even with sudo", async (body, message) => {
    const parent = await idOf({ policies: ["mighty"] });
    await expect(create(body, parent)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  test("a token with limited uses makes no others, an expiring root no eternal one", async () => {
    const limited = await idOf({ policies: ["root"], num_uses: 5 });
    await expect(create({}, limited)).rejects.toThrow("restricted use token cannot generate child tokens");
    const expiring = await idOf({ policies: ["root"], ttl: "1h" });
    await expect(create({}, expiring)).rejects.toThrow("expiring root tokens cannot create non-expiring root tokens");
    expect((await create({ ttl: "2h" }, expiring)).lease_duration).toBe(7200);
  });

  test("a chosen id works once", async () => {
    const { auth, warnings } = await server.call("write", "auth/token/create", { id: "my-own", policies: ["maker"] });
    expect(auth.client_token).toBe("my-own");
    expect(warnings.join()).toContain("as strong as that ID is hard to guess");
    await expect(create({ id: "my-own" })).rejects.toThrow("cannot create a token with a duplicate ID");
  });
});

describe("lifetimes", () => {
  test("more than the maximum is capped with a warning", async () => {
    const { auth, warnings } = await server.call("write", "auth/token/create", { policies: ["maker"], ttl: "10000h" });
    expect(auth.lease_duration).toBe(2_764_800);
    expect(warnings).toEqual([
      'TTL of "10000h" exceeded the effective max_ttl of "768h"; TTL value is capped accordingly',
    ]);
  });

  test("a renewal may shorten, and never passes the maximum since creation", async () => {
    const id = await idOf({ policies: ["maker"], ttl: "700h" });
    const renew = async (increment: string) =>
      (await server.call("write", "auth/token/renew", { token: id, increment })).auth.lease_duration;
    expect(await renew("60s")).toBe(60);
    expect(await renew("700h")).toBe(2_520_000);
    server.passSeconds(2_500_000);
    expect(await renew("700h")).toBe(264_800);
    server.passSeconds(264_801);
    await expect(renew("1h")).rejects.toThrow("token not found");
  });

  test("a periodic token goes on, whatever increment is asked for, up to its explicit maximum", async () => {
    const id = await idOf({ policies: ["maker"], period: "1h", explicit_max_ttl: "150m" });
    const renew = async () =>
      (await server.call("write", "auth/token/renew", { token: id, increment: "5m" })).auth.lease_duration;
    expect(await renew()).toBe(3600);
    server.passSeconds(3000);
    expect(await renew()).toBe(3600);
    server.passSeconds(3590);
    expect(await renew()).toBe(2410);
    server.passSeconds(2411);
    await expect(renew()).rejects.toThrow("token not found");
  });

  test("what is not renewable says so", async () => {
    const id = await idOf({ policies: ["maker"], renewable: false });
    await expect(server.call("write", "auth/token/renew", { token: id })).rejects.toThrow("lease is not renewable");
  });
});

describe("batch tokens", () => {
  test("work without being stored, and cannot do what service tokens can", async () => {
    const parent = await idOf({ policies: ["maker"] });
    const auth = await create({ type: "batch" }, parent);
    expect(auth).toMatchObject({ token_type: "batch", accessor: "", renewable: false, num_uses: 0 });
    expect(auth.client_token).toMatch(/^b\.[\w-]+$/);
    const asBatch = (operation: "write" | "read", path: string, body: object = {}) =>
      server.call(operation, path, body, auth.client_token);
    expect((await asBatch("read", "auth/token/lookup-self")).data.type).toBe("batch");
    await expect(asBatch("write", "auth/token/create")).rejects.toThrow("batch tokens cannot create more tokens");
    await expect(asBatch("write", "auth/token/renew-self")).rejects.toThrow("batch tokens cannot be renewed");
    await expect(asBatch("write", "auth/token/revoke-self")).rejects.toThrow("batch tokens cannot be revoked");
    await expect(asBatch("write", "cubbyhole/a", { a: 1 })).rejects.toThrow("only supported by 'service' type tokens");
    await expect(create({ type: "batch", policies: ["root"] })).rejects.toThrow("batch tokens cannot be root tokens");
  });

  test("die with the token that made them, and cannot be forged", async () => {
    const parent = await idOf({ policies: ["maker"] });
    const { client_token } = await create({ type: "batch" }, parent);
    const flipped = client_token.slice(0, -2) + (client_token.endsWith("AA") ? "BB" : "AA");
    await expect(server.call("read", "auth/token/lookup-self", {}, flipped)).rejects.toThrow("permission denied");
    await server.call("write", "auth/token/revoke", { token: parent });
    await expect(server.call("read", "auth/token/lookup-self", {}, client_token)).rejects.toThrow("permission denied");
  });
});

describe("accessors", () => {
  test("look up, renew and revoke without the token", async () => {
    const { accessor, client_token } = await create({ policies: ["maker"], ttl: "1h" });
    const by = (verb: string) => server.call("write", `auth/token/${verb}-accessor`, { accessor });
    expect((await by("lookup")).data).toMatchObject({ id: "", policies: ["default", "maker"] });
    expect((await by("renew")).auth.client_token).toBe("");
    expect((await server.call("list", "auth/token/accessors")).data.keys).toContain(accessor);
    await by("revoke");
    await expect(by("lookup")).rejects.toThrow("invalid accessor");
    expect((await by("revoke")).warnings).toEqual(["No token found with this accessor"]);
    await expect(server.call("read", "auth/token/lookup-self", {}, client_token)).rejects.toThrow("permission denied");
  });
});

describe("roles", () => {
  const throughRole = (body: object, token?: string) => server.call("write", "auth/token/create/ci", body, token);

  test("shape tokens", async () => {
    await server.call("write", "auth/token/roles/ci", {
      allowed_policies: "a,b",
      orphan: true,
      token_period: "1h",
      token_num_uses: 9,
      token_bound_cidrs: ["10.0.0.0/8"],
      path_suffix: "robots",
    });
    const { auth } = await throughRole({});
    expect(auth).toMatchObject({ policies: ["a", "b", "default"], orphan: true, lease_duration: 3600, num_uses: 9 });
    await expect(throughRole({ policies: ["z"] })).rejects.toThrow(
      'token policies (["default" "z"]) must be subset of the role\'s allowed policies (["a" "b" "default"]) or glob policies ([])',
    );
    const from = (address: string) => server.exchange("read", "auth/token/lookup-self", {}, auth.client_token, address);
    await expect(from("192.168.1.1")).rejects.toThrow("permission denied");
    const { answer } = await from("10.9.8.7");
    expect(answer).toMatchObject({ path: "auth/token/create/ci/robots", role: "ci", period: 3600 });
    await expect(server.call("write", "auth/token/create/nope")).rejects.toThrow("unknown role nope");
  });

  test("keep what an update does not name, and show both names of older settings", async () => {
    await server.call("write", "auth/token/roles/ci", { allowed_policies: "a", period: "1h" });
    await server.call("write", "auth/token/roles/ci", { orphan: true });
    expect((await server.call("read", "auth/token/roles/ci")).data).toMatchObject({
      name: "ci",
      allowed_policies: ["a"],
      orphan: true,
      token_period: 3600,
      period: 3600,
      token_type: "default-service",
    });
    expect((await server.call("list", "auth/token/roles")).data.keys).toEqual(["ci"]);
    await server.call("delete", "auth/token/roles/ci");
    await expect(server.call("read", "auth/token/roles/ci")).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [{ token_type: "batch" }, "non-orphan tokens"],
    [{ token_type: "batch", orphan: true }, "renewable tokens"],
    [{ token_bound_cidrs: "10.0.0.0/99" }, "invalid CIDR"],
    [{ path_suffix: "a b" }, "'path_suffix' may have"],
    [{ token_num_uses: -3 }, "cannot be negative"],
  ])("%j is refused", async (body, message) => {
    await expect(server.call("write", "auth/token/roles/ci", body)).rejects.toThrow(message);
  });
});

test("revoke-orphan needs sudo, and leaves children as orphans", async () => {
  const parent = await idOf({ policies: ["maker"] });
  const child = await idOf({}, parent);
  await expect(server.call("write", "auth/token/revoke-orphan", { token: parent }, child)).rejects.toThrow(
    "root or sudo privileges required to revoke and orphan",
  );
  await server.call("write", "auth/token/revoke-orphan", { token: parent });
  expect((await server.call("read", "auth/token/lookup-self", {}, child)).data.orphan).toBe(true);
  await expect(server.call("read", "auth/token/lookup-self", {}, parent)).rejects.toThrow("permission denied");
});
