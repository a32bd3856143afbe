import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { approle } from "./engine.ts";
import type { ApproleServices } from "./services.ts";

let auth: EngineCaller<ApproleServices>;

beforeEach(async () => {
  auth = callerOf(approle, {
    lockout: { threshold: 3, durationSeconds: 600, counterResetSeconds: 60, disabled: false },
  });
  await settle({ role_id: "web-id", token_policies: "a" });
});

const settle = (settings: object) => auth.call("write", "role/web", settings);
const make = async (wishes: object = {}): Promise<string> =>
  (await auth.call("write", "role/web/secret-id", wishes)).data.secret_id;
const login = (secret_id?: string, role_id = "web-id") => auth.call("write", "login", { role_id, secret_id });
const lookup = async (secret_id: string) => (await auth.call("write", "role/web/secret-id/lookup", { secret_id })).data;

const invalid = { status: 400, message: "invalid role or secret ID" };
const denied = { status: 403, message: "permission denied" };

test("the ids of a role and a secret give a token as the role says", async () => {
  const { data } = await login(await make({ metadata: '{"host":"web-1","role_name":"forged"}' }));
  const metadata = { host: "web-1", role_name: "web" };
  expect(data.grant).toEqual({
    alias: { name: "web-id", metadata },
    displayName: "",
    metadata,
    token: expect.objectContaining({ token_policies: ["a"], token_bound_cidrs: [] }),
    internal: { role_name: "web" },
  });
});

test("a login without limits and failures writes nothing", async () => {
  const secretId = await make();
  const before = new Map(auth.storage.entries);
  await login(secretId);
  expect(auth.storage.entries).toEqual(before);
});

test("spaces around the ids do not matter", async () => {
  await login(`\t${await make()}\n`, " web-id ");
});

describe("refuses", () => {
  test.each<[string, string | undefined, string, object]>([
    ["no role id", "x", "", { status: 400, message: "missing role_id" }],
    ["a role id of spaces", "x", "  ", { status: 400, message: "missing role_id" }],
    ["an unknown role id", "x", "other-id", invalid],
    ["the name of the role", "x", "web", invalid],
    ["no secret id", undefined, "web-id", { status: 400, message: "missing secret_id" }],
    ["an unknown secret id", "x", "web-id", invalid],
    ["a huge secret id", "x".repeat(5000), "web-id", invalid],
  ])("%s", async (_, secretId, roleId, refusal) => {
    await expect(login(secretId, roleId)).rejects.toMatchObject(refusal);
  });

  test("an accessor", async () => {
    const { secret_id_accessor } = (await auth.call("write", "role/web/secret-id")).data;
    await expect(login(secret_id_accessor)).rejects.toMatchObject(invalid);
  });

  test("the secret id of another role", async () => {
    await auth.call("write", "role/other", { role_id: "other-id" });
    await expect(login(await make(), "other-id")).rejects.toMatchObject(invalid);
  });

  test("a secret id that has expired, and deletes it", async () => {
    const secretId = await make({ ttl: 60 });
    auth.now += 59_999;
    await login(secretId);
    auth.now += 1;
    await expect(login(secretId)).rejects.toMatchObject(invalid);
    expect((await auth.call("list", "role/web/secret-id")).data).toEqual({ keys: [] });
  });

  test("a secret id that was destroyed", async () => {
    const secretId = await make();
    await auth.call("write", "role/web/secret-id/destroy", { secret_id: secretId });
    await expect(login(secretId)).rejects.toMatchObject(invalid);
  });

  test("an old role id", async () => {
    const secretId = await make();
    await auth.call("write", "role/web/role-id", { role_id: "new-id" });
    await expect(login(secretId)).rejects.toMatchObject(invalid);
    await login(secretId, "new-id");
  });
});

describe("uses", () => {
  test("are counted, and the last one takes the secret id with it", async () => {
    const secretId = await make({ num_uses: 2 });
    auth.now += 1000;
    await login(secretId);
    expect(await lookup(secretId)).toMatchObject({
      secret_id_num_uses: 1,
      last_updated_time: "2030-01-01T00:00:01.000Z",
    });
    await login(secretId);
    await expect(login(secretId)).rejects.toMatchObject(invalid);
    expect((await auth.call("list", "role/web/secret-id")).data).toEqual({ keys: [] });
  });

  test("are not spent by a login that is refused for its address", async () => {
    const secretId = await make({ num_uses: 1, cidr_list: "10.0.0.0/8" });
    await expect(login(secretId)).rejects.toMatchObject({ status: 400 });
    auth.remoteAddress = "10.1.2.3";
    await login(secretId);
  });
});

describe("addresses", () => {
  const refusal = (where: string) => ({
    status: 400,
    message: `source address "127.0.0.1" unauthorized by CIDR restrictions on the ${where}`,
  });

  test("of the role", async () => {
    await settle({ secret_id_bound_cidrs: "10.0.0.0/8" });
    const secretId = await make();
    await expect(login(secretId)).rejects.toMatchObject(refusal("role"));
    auth.remoteAddress = "10.1.2.3";
    await login(secretId);
  });

  test("of the secret id", async () => {
    const secretId = await make({ cidr_list: "10.0.0.0/8" });
    await expect(login(secretId)).rejects.toMatchObject(refusal("secret ID"));
  });

  test("of the role hold also for secret ids that were made before", async () => {
    const secretId = await make({ cidr_list: "127.0.0.0/8" });
    await settle({ secret_id_bound_cidrs: "10.0.0.0/8" });
    await expect(login(secretId)).rejects.toMatchObject(refusal("role"));
  });

  test("of tokens are those of the secret id, if it has any", async () => {
    await settle({ token_bound_cidrs: "127.0.0.0/8" });
    const cidrs = async (secretId: string) => (await login(secretId)).data.grant.token.token_bound_cidrs;
    expect(await cidrs(await make())).toEqual(["127.0.0.0/8"]);
    expect(await cidrs(await make({ token_bound_cidrs: "127.0.0.0/16" }))).toEqual(["127.0.0.0/16"]);
  });

  test("of tokens hold for the login too, which spends nothing", async () => {
    await settle({ token_bound_cidrs: "10.0.0.0/8" });
    const secretId = await make({ num_uses: 1 });
    await expect(login(secretId)).rejects.toMatchObject(denied);
    auth.remoteAddress = "10.1.2.3";
    await login(secretId);
  });

  test("alone prove a role that needs no secret id", async () => {
    await settle({ bind_secret_id: false, secret_id_bound_cidrs: "127.0.0.0/8" });
    expect((await login()).data.grant.metadata).toEqual({ role_name: "web" });
    await login("ignored");
    auth.remoteAddress = "8.8.8.8";
    await expect(login()).rejects.toMatchObject({ status: 400 });
  });
});

describe("lockout", () => {
  const fail = async (times: number) => {
    for (let i = 0; i < times; i++) await expect(login("wrong")).rejects.toMatchObject(invalid);
  };

  test("comes after wrong secret ids, and then the right one does not help", async () => {
    const secretId = await make();
    await fail(3);
    await expect(login(secretId)).rejects.toMatchObject(denied);
    expect(await auth.services.lockouts.locked(new Date(auth.now))).toEqual(["web-id"]);
    auth.now += 600_000;
    await login(secretId);
  });

  test("is forgotten after a login", async () => {
    const secretId = await make();
    await fail(2);
    await login(secretId);
    await fail(2);
    await login(secretId);
  });

  test("does not come from unknown roles, missing secret ids and wrong addresses", async () => {
    const elsewhere = await make({ cidr_list: "10.0.0.0/8" });
    for (let i = 0; i < 5; i++) {
      await expect(login("x", "nobody")).rejects.toMatchObject(invalid);
      await expect(login("")).rejects.toMatchObject({ status: 400 });
      await expect(login(elsewhere)).rejects.toMatchObject({ status: 400 });
    }
    await login(await make());
  });
});

describe("renewal", () => {
  const renew = () => approle.renewLogin!({ role_name: "web" }, auth.services);

  test("answers the settings that hold now", async () => {
    await settle({ token_ttl: "2h" });
    expect(await renew()).toMatchObject({ token_ttl: 7200 });
  });

  test("is refused when the role is gone", async () => {
    await auth.call("delete", "role/web");
    await expect(renew()).rejects.toMatchObject({ status: 400, message: 'role "web" does not exist during renewal' });
  });
});
