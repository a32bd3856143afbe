import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { approle } from "./engine.ts";

let auth: EngineCaller;

beforeEach(async () => {
  auth = callerOf(approle, { maxLeaseSeconds: 7200 });
  await auth.call("write", "role/web", { role_id: "web" });
});

const settle = (settings: object) => auth.call("write", "role/web", settings);
const make = async (wishes: object = {}) => (await auth.call("write", "role/web/secret-id", wishes)).data;
const lookup = (secret_id: string) => auth.call("write", "role/web/secret-id/lookup", { secret_id });
const lookupBehind = (secret_id_accessor: string) =>
  auth.call("write", "role/web/secret-id-accessor/lookup", { secret_id_accessor });
const accessors = async (page: object = {}) => (await auth.call("list", "role/web/secret-id", page)).data.keys;
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

test("a secret id is made as the role says", async () => {
  expect(await make()).toEqual({
    secret_id: uuid,
    secret_id_accessor: uuid,
    secret_id_num_uses: 0,
    secret_id_ttl: 0,
  });
  await settle({ secret_id_num_uses: 5, secret_id_ttl: "1h" });
  expect(await make()).toMatchObject({ secret_id_num_uses: 5, secret_id_ttl: 3600 });
  expect(await make({ num_uses: 2, ttl: "1m" })).toMatchObject({ secret_id_num_uses: 2, secret_id_ttl: 60 });
});

test("no secret id is stored in clear", async () => {
  const { secret_id } = await make();
  await auth.call("write", "role/web/custom-secret-id", { secret_id: "chosen-by-me" });
  const stored = [...auth.storage.entries].map(([key, value]) => key + Buffer.from(value).toString()).join();
  expect(stored).not.toContain(secret_id);
  expect(stored).not.toContain("chosen-by-me");
});

test("it lives no longer than the mount allows", async () => {
  expect(await make({ ttl: "3h" })).toMatchObject({ secret_id_ttl: 7200 });
});

test("looking it up shows all but the secret id itself", async () => {
  await settle({ token_bound_cidrs: "10.0.0.0/8" });
  const { secret_id, secret_id_accessor } = await make({
    metadata: '{"host":"web-1"}',
    cidr_list: "10.0.0.0/16",
    token_bound_cidrs: ["10.0.0.0/24"],
    num_uses: 3,
    ttl: 60,
  });
  const shown = {
    secret_id_accessor,
    secret_id_num_uses: 3,
    secret_id_ttl: 60,
    creation_time: "2030-01-01T00:00:00.000Z",
    expiration_time: "2030-01-01T00:01:00.000Z",
    last_updated_time: "2030-01-01T00:00:00.000Z",
    metadata: { host: "web-1" },
    cidr_list: ["10.0.0.0/16"],
    token_bound_cidrs: ["10.0.0.0/24"],
  };
  expect((await lookup(` ${secret_id} `)).data).toEqual(shown);
  expect((await lookupBehind(secret_id_accessor)).data).toEqual(shown);
});

test("one without an end says so", async () => {
  const { secret_id } = await make();
  expect((await lookup(secret_id)).data).toMatchObject({ expiration_time: "0001-01-01T00:00:00Z", secret_id_ttl: 0 });
});

test("accessors are listed, in pages", async () => {
  const made = [];
  for (let i = 0; i < 3; i++) made.push((await make()).secret_id_accessor);
  const sorted = made.sort();
  expect(await accessors()).toEqual(sorted);
  expect(await accessors({ after: sorted[0], limit: 1 })).toEqual([sorted[1]]);
});

describe.each(["write", "delete"] as const)("destroying by %s", (operation) => {
  test("the secret id itself", async () => {
    const { secret_id, secret_id_accessor } = await make();
    expect(await auth.call(operation, "role/web/secret-id/destroy", { secret_id })).toMatchObject({ status: 204 });
    expect(await lookup(secret_id)).toMatchObject({ status: 204 });
    await expect(lookupBehind(secret_id_accessor)).rejects.toMatchObject({ status: 404 });
    expect(await accessors()).toEqual([]);
    expect(await auth.call(operation, "role/web/secret-id/destroy", { secret_id })).toMatchObject({ status: 204 });
  });

  test("by its accessor", async () => {
    const { secret_id, secret_id_accessor } = await make();
    const kept = await make();
    const path = "role/web/secret-id-accessor/destroy";
    expect(await auth.call(operation, path, { secret_id_accessor })).toMatchObject({ status: 204 });
    expect(await lookup(secret_id)).toMatchObject({ status: 204, data: undefined });
    expect(await accessors()).toEqual([kept.secret_id_accessor]);
    await expect(auth.call(operation, path, { secret_id_accessor })).rejects.toMatchObject({
      status: 404,
      message: `failed to find accessor entry for secret_id_accessor: "${secret_id_accessor}"`,
    });
  });
});

test("an expired one is as good as gone", async () => {
  const { secret_id, secret_id_accessor } = await make({ ttl: 60 });
  auth.now += 60_000;
  expect(await lookup(secret_id)).toMatchObject({ status: 204 });
  await expect(lookupBehind(secret_id_accessor)).rejects.toMatchObject({ status: 404 });
});

test("the secret ids of one role are nothing to another", async () => {
  await auth.call("write", "role/other");
  const { secret_id, secret_id_accessor } = await make();
  const other = (path: string, body: object) => auth.call("write", `role/other/${path}`, body);
  expect(await other("secret-id/lookup", { secret_id })).toMatchObject({ status: 204 });
  await other("secret-id/destroy", { secret_id });
  await expect(other("secret-id-accessor/destroy", { secret_id_accessor })).rejects.toMatchObject({ status: 404 });
  expect(await lookup(secret_id)).toMatchObject({ status: 200 });
  await other("custom-secret-id", { secret_id });
});

describe("custom ones", () => {
  const bring = (secret_id: string, wishes: object = {}) =>
    auth.call("write", "role/web/custom-secret-id", { secret_id, ...wishes });

  test("are kept like those that are made", async () => {
    expect((await bring(" mine ", { ttl: 60 })).data).toEqual({
      secret_id: "mine",
      secret_id_accessor: uuid,
      secret_id_num_uses: 0,
      secret_id_ttl: 60,
    });
    expect((await lookup("mine")).data).toMatchObject({ secret_id_ttl: 60 });
  });

  test("are unique in their role, until they expire", async () => {
    await bring("mine", { ttl: 60 });
    await expect(bring("mine")).rejects.toMatchObject({ status: 400, message: "SecretID is already registered" });
    auth.now += 60_000;
    await bring("mine");
    expect(await accessors()).toHaveLength(1);
  });

  test.each([
    ["", "missing secret_id"],
    ["  ", "missing secret_id"],
    ["x".repeat(4097), "secret_id is longer than maximum of 4096 bytes"],
  ])("%j is refused", async (secretId, message) => {
    await expect(bring(secretId)).rejects.toMatchObject({ status: 400, message });
  });
});

describe("refuses", () => {
  test.each<[string, object, object, string]>([
    ["more uses than the role", { secret_id_num_uses: 5 }, { num_uses: 6 }, "num_uses cannot be higher than"],
    ["endless uses where the role has an end", { secret_id_num_uses: 5 }, { num_uses: 0 }, "num_uses cannot be higher"],
    ["negative uses", {}, { num_uses: -1 }, "num_uses cannot be negative"],
    ["a longer life than the role", { secret_id_ttl: 60 }, { ttl: 61 }, "ttl cannot be longer than the role's"],
    ["an endless life where the role has an end", { secret_id_ttl: 60 }, { ttl: 0 }, "ttl cannot be longer than"],
    ["a negative life", {}, { ttl: -1 }, "ttl cannot be negative"],
    ["what is no range", {}, { cidr_list: "here" }, `invalid CIDR "here" in 'cidr_list'`],
    ["what is no range for tokens", {}, { token_bound_cidrs: "here" }, `invalid CIDR "here" in 'token_bound_cidrs'`],
    [
      "a wider range than the role",
      { secret_id_bound_cidrs: "10.0.0.0/8" },
      { cidr_list: "11.0.0.0/8" },
      'between CIDR blocks on the role ["10.0.0.0/8"] and CIDR blocks on the secret ID ["11.0.0.0/8"]',
    ],
    [
      "a wider range for tokens than the role",
      { token_bound_cidrs: "10.0.0.1/32" },
      { token_bound_cidrs: "10.0.0.0/24" },
      'on the role ["10.0.0.1"] and CIDR blocks on the secret ID ["10.0.0.0/24"]',
    ],
    ["what is no metadata", {}, { metadata: "{" }, "failed to parse metadata"],
    [
      "secret ids for a role that needs none",
      { bind_secret_id: false, secret_id_bound_cidrs: "10.0.0.0/8" },
      {},
      "bind_secret_id is not set on the role",
    ],
  ])("%s", async (_, settings, wishes, message) => {
    await settle(settings);
    await expect(make(wishes)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(await accessors()).toEqual([]);
  });

  test.each<["write" | "list", string, object]>([
    ["write", "secret-id", {}],
    ["list", "secret-id", {}],
    ["write", "custom-secret-id", { secret_id: "x" }],
    ["write", "secret-id/lookup", { secret_id: "x" }],
    ["write", "secret-id/destroy", { secret_id: "x" }],
    ["write", "secret-id-accessor/lookup", { secret_id_accessor: "x" }],
    ["write", "secret-id-accessor/destroy", { secret_id_accessor: "x" }],
  ])("to %s %s of nobody", async (operation, path, body) => {
    await expect(auth.call(operation, `role/nobody/${path}`, body)).rejects.toMatchObject({
      status: 404,
      message: 'role "nobody" does not exist',
    });
  });

  test.each([
    ["secret-id/lookup", "missing secret_id"],
    ["secret-id/destroy", "missing secret_id"],
    ["secret-id-accessor/lookup", "missing secret_id_accessor"],
    ["secret-id-accessor/destroy", "missing secret_id_accessor"],
  ])("%s without one", async (path, message) => {
    await expect(auth.call("write", `role/web/${path}`)).rejects.toMatchObject({ status: 400, message });
  });

  test.each(["x", "../role/web", "", "\ud800", "x".repeat(5000)])("the accessor %j", async (accessor) => {
    await expect(lookupBehind(accessor)).rejects.toMatchObject({ status: accessor === "" ? 400 : 404 });
  });
});
