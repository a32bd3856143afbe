import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { approle } from "./engine.ts";
import type { ApproleServices } from "./services.ts";

let auth: EngineCaller<ApproleServices>;

beforeEach(() => {
  auth = callerOf(approle, { maxLeaseSeconds: 7200 });
});

const write = (body: object = {}, name = "web") => auth.call("write", `role/${name}`, body);
const read = async (name = "web") => (await auth.call("read", `role/${name}`)).data;
const roleId = async (name = "web") => (await auth.call("read", `role/${name}/role-id`)).data.role_id;

test("a new role needs secret ids, which are good for ever", async () => {
  expect(await write()).toMatchObject({ status: 204, warnings: [] });
  expect(await read()).toEqual({
    bind_secret_id: true,
    local_secret_ids: false,
    secret_id_bound_cidrs: [],
    secret_id_num_uses: 0,
    secret_id_ttl: 0,
    token_bound_cidrs: [],
    token_explicit_max_ttl: 0,
    token_max_ttl: 0,
    token_no_default_policy: false,
    token_num_uses: 0,
    token_period: 0,
    token_policies: [],
    token_strictly_bind_ip: false,
    token_ttl: 0,
    token_type: "default",
  });
});

test("a change leaves alone what it does not name", async () => {
  await write({ token_policies: "b,A", secret_id_num_uses: "10", secret_id_ttl: "24h" });
  const id = await roleId();
  await write({ secret_id_bound_cidrs: "10.0.0.0/8" });
  expect(await read()).toMatchObject({
    token_policies: ["a", "b"],
    secret_id_num_uses: 10,
    secret_id_ttl: 86_400,
    secret_id_bound_cidrs: ["10.0.0.0/8"],
  });
  expect(await roleId()).toBe(id);
});

test("upper and lower case are one", async () => {
  await write({}, "Web");
  expect(await auth.exists("role/WEB")).toBe(true);
  expect((await auth.call("list", "role")).data).toEqual({ keys: ["web"] });
  await auth.call("delete", "role/WEB");
  await expect(read()).rejects.toMatchObject({ status: 404, messages: [] });
});

test("tells creating from changing", async () => {
  expect(await auth.exists("role/web")).toBe(false);
  await write();
  expect(await auth.exists("role/web")).toBe(true);
});

test("lists page", async () => {
  for (const name of ["c", "a", "b"]) await write({}, name);
  expect((await auth.call("list", "role", { after: "a", limit: 1 })).data).toEqual({ keys: ["b"] });
});

test("older names are accepted, and shown beside the current ones", async () => {
  await write({ policies: "a", period: "1h", bound_cidr_list: "10.0.0.0/8" });
  expect(await read()).toMatchObject({
    policies: ["a"],
    token_policies: ["a"],
    period: 3600,
    token_period: 3600,
    secret_id_bound_cidrs: ["10.0.0.0/8"],
  });
  expect(await read()).not.toHaveProperty("bound_cidr_list");
});

describe("warns of", () => {
  test.each([
    [{ token_max_ttl: "3h" }, "token_max_ttl is greater than the backend mount's maximum TTL value"],
    [{ token_type: "default-service" }, "default-service has no useful meaning; adjusting to service"],
    [{ token_type: "default-batch" }, "default-batch has no useful meaning; adjusting to batch"],
  ])("%j", async (body, warning) => {
    expect((await write(body)).warnings).toEqual([expect.stringContaining(warning)]);
  });
});

describe("refuses", () => {
  test.each<[object, string]>([
    [{ bind_secret_id: false }, "at least one constraint should be enabled on the role"],
    [{ secret_id_num_uses: -1 }, "secret_id_num_uses cannot be negative"],
    [{ secret_id_ttl: -1 }, "secret_id_ttl cannot be negative"],
    [{ secret_id_bound_cidrs: "here" }, `invalid CIDR "here" in 'secret_id_bound_cidrs'`],
    [{ token_bound_cidrs: "here" }, `invalid CIDR "here"`],
    [{ token_period: "3h" }, 'period of "3h0m0s" is greater than the backend\'s maximum lease TTL of "2h0m0s"'],
    [{ token_ttl: 2, token_max_ttl: 1 }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
    [{ role_id: "" }, "invalid role_id supplied, or failed to generate a role_id"],
    [{ role_id: "x".repeat(5000) }, "role_id is longer than 4096 bytes"],
    [{ token_type: "default-batch", token_period: 60 }, "'token_type' cannot be 'batch'"],
  ])("%j", async (body, message) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(auth.storage.entries.size).toBe(0);
  });

  test.each(["a b", "é", "*", "-a", "x".repeat(513)])("the name %j", async (name) => {
    await expect(write({}, name)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("the name of a role has at most 512"),
    });
  });

  test("to move secret ids of a role that exists", async () => {
    await write({ local_secret_ids: true });
    expect(await read()).toMatchObject({ local_secret_ids: true });
    expect(await write({ local_secret_ids: true })).toMatchObject({ status: 204 });
    await expect(write({ local_secret_ids: false })).rejects.toThrow(
      "local_secret_ids can only be modified during role creation",
    );
  });
});

test.each([
  { bind_secret_id: false, secret_id_bound_cidrs: "10.0.0.0/8" },
  { bind_secret_id: false, token_bound_cidrs: "10.0.0.0/8" },
])("addresses alone can prove a role: %j", async (body) => {
  expect(await write(body)).toMatchObject({ status: 204 });
});

describe("role ids", () => {
  test("are made up, and differ", async () => {
    await write({}, "a");
    await write({}, "b");
    expect(await roleId("a")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await roleId("a")).not.toBe(await roleId("b"));
  });

  test("can be chosen, and chosen anew", async () => {
    await write({ role_id: " web/servers " });
    expect(await roleId()).toBe("web/servers");
    await auth.call("write", "role/web/role-id", { role_id: "others" });
    expect(await roleId()).toBe("others");
    await write({ role_id: "third" });
    expect(await roleId()).toBe("third");
    await write({ role_id: "others" }, "b");
    await write({ role_id: "web/servers" }, "c");
    expect(await roleId("b")).toBe("others");
  });

  test("belong to one role", async () => {
    await write({ role_id: "x" });
    await write({}, "b");
    const taken = { status: 400, message: "role_id already in use" };
    await expect(write({ role_id: "x" }, "b")).rejects.toMatchObject(taken);
    await expect(auth.call("write", "role/b/role-id", { role_id: "x" })).rejects.toMatchObject(taken);
    await auth.call("delete", "role/web");
    await write({ role_id: "x" }, "b");
  });

  test.each<[string, string, object, object]>([
    ["of nobody cannot be read", "read", {}, { status: 404, messages: [] }],
    ["of nobody cannot be set", "write", { role_id: "x" }, { status: 404, message: 'role "nobody" does not exist' }],
    ["cannot be empty", "write", { role_id: " " }, { status: 400, message: "missing role_id" }],
  ])("%s", async (_, operation, body, refusal) => {
    await expect(auth.call(operation as "read", "role/nobody/role-id", body)).rejects.toMatchObject(refusal);
  });
});

describe("deleting", () => {
  test("takes everything of the role with it", async () => {
    await write();
    for (let i = 0; i < 3; i++) await auth.call("write", "role/web/secret-id");
    await expect(auth.call("write", "login", { role_id: await roleId(), secret_id: "wrong" })).rejects.toThrow();
    await auth.call("delete", "role/web");
    expect([...auth.storage.entries.keys()]).toEqual([]);
  });

  test("leaves to tidying what is too much for one transaction, and nothing of it is good any more", async () => {
    await write({ role_id: "web" });
    const { data } = await auth.call("write", "role/web/secret-id");
    for (let i = 0; i < 250; i++) await auth.call("write", "role/web/secret-id");
    await auth.call("delete", "role/web");
    expect(auth.storage.entries.size).toBeGreaterThan(0);
    await write({ role_id: "web" });
    expect((await auth.call("list", "role/web/secret-id")).data).toEqual({ keys: [] });
    await expect(auth.call("write", "login", { role_id: "web", secret_id: data.secret_id })).rejects.toThrow(
      "invalid role or secret ID",
    );
    await auth.call("delete", "role/web");
    await auth.call("write", "tidy/secret-id");
    await auth.services.tidying.idle();
    expect([...auth.storage.entries.keys()]).toEqual([]);
  });

  test("a role that is not there is no mistake", async () => {
    expect(await auth.call("delete", "role/nobody")).toMatchObject({ status: 204 });
  });
});
