import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { hostOf, identityCaller, makeAlias, makeEntity, makeGroup } from "./identity-fixture.suite.ts";
import { type Login, loginAlias, refreshGroups } from "./login.ts";

let caller: EngineCaller;
beforeEach(() => {
  caller = identityCaller();
});

const read = async (path: string) => (await caller.call("read", path)).data;
const login = (request: Partial<Login> = {}) =>
  loginAlias(
    { mountAccessor: "users", aliasName: "ada", metadata: {}, ...request },
    caller.storage,
    hostOf(),
    new Date(caller.now),
  );
const groupsOf = async (entity: string) => (await read(`entity/id/${entity}`)).direct_group_ids;

test("the first login makes an entity, the next ones find it", async () => {
  const first = await login({ metadata: { role: "web" } });
  expect(first).toEqual({ entityId: expect.any(String), created: true, disabled: false });
  expect(await read(`entity/id/${first.entityId}`)).toMatchObject({
    name: expect.stringMatching(/^entity_[0-9a-f]{8}$/),
    aliases: [{ name: "ada", mount_accessor: "users", metadata: { role: "web" }, local: false }],
  });
  expect(await login({ aliasName: "Ada" })).toEqual({ ...first, created: false });
});

test("an alias that was made by hand is found", async () => {
  const ada = await makeEntity(caller, "ada");
  await makeAlias(caller, ada, "users", "ada");
  expect(await login()).toEqual({ entityId: ada, created: false, disabled: false });
});

test("the same name on another mount is somebody else", async () => {
  expect((await login()).entityId).not.toBe((await login({ mountAccessor: "tokens" })).entityId);
});

test("metadata is what the last login told, and what was noted by hand stays", async () => {
  const { entityId } = await login({ metadata: { role: "web" } });
  const alias = (await read(`entity/id/${entityId}`)).aliases[0].id;
  await caller.call("write", `entity-alias/id/${alias}`, { custom_metadata: { a: "1" } });
  caller.now += 1000;
  await login({ metadata: { role: "ops" } });
  expect(await read(`entity-alias/id/${alias}`)).toMatchObject({
    metadata: { role: "ops" },
    custom_metadata: { a: "1" },
    last_update_time: "2030-01-01T00:00:01.000Z",
  });
});

test("a login like the one before writes nothing", async () => {
  await caller.call("write", "group-alias", { name: "dev", mount_accessor: "users" });
  await login({ metadata: { role: "web" }, groupAliases: ["dev"] });
  const before = new Map(caller.storage.entries);
  caller.now += 1000;
  await login({ metadata: { role: "web" }, groupAliases: ["dev"] });
  for (const [key, value] of before) expect(caller.storage.entries.get(key), key).toBe(value);
  expect(caller.storage.entries.size).toBe(before.size);
});

test("a disabled entity is told, and left as it is", async () => {
  const { entityId } = await login({ metadata: { role: "web" } });
  await caller.call("write", `entity/id/${entityId}`, { disabled: true });
  expect(await login({ metadata: { role: "ops" } })).toEqual({ entityId, created: false, disabled: true });
  expect((await read(`entity/id/${entityId}`)).aliases[0].metadata).toEqual({ role: "web" });
});

test("after a merge the alias leads to the entity that stayed", async () => {
  const ada = await makeEntity(caller, "ada");
  const { entityId } = await login();
  await caller.call("write", "entity/merge", { to_entity_id: ada, from_entity_ids: [entityId] });
  expect((await login()).entityId).toBe(ada);
});

test.each([
  ["no name", { aliasName: "" }, "gave no name"],
  ["half a surrogate pair", { aliasName: "a\ud800" }, "surrogate"],
  ["a mount that is gone", { mountAccessor: "nope" }, 'invalid mount accessor "nope"'],
])("%s is refused", async (_name, request, message) => {
  await expect(login(request)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
  expect(caller.storage.entries.size).toBe(0);
});

test("a name of any length is a name", async () => {
  const long = "x".repeat(5000);
  const { entityId } = await login({ aliasName: long });
  expect((await login({ aliasName: long })).entityId).toBe(entityId);
  expect((await login({ aliasName: `${long}y` })).entityId).not.toBe(entityId);
});

describe("groups", () => {
  let dev: string;
  let ops: string;
  let elsewhere: string;
  beforeEach(async () => {
    const alias = async (name: string, mount_accessor: string) =>
      (await caller.call("write", "group-alias", { name, mount_accessor })).data.canonical_id;
    dev = await alias("dev", "users");
    ops = await alias("ops", "users");
    elsewhere = await alias("dev", "tokens");
  });

  test("are joined and left as the auth method says", async () => {
    const { entityId } = await login({ groupAliases: ["DEV", "dev", "unknown", "x".repeat(5000), "\ud800"] });
    expect(await groupsOf(entityId)).toEqual([dev]);
    await login({ groupAliases: ["ops"] });
    expect(await groupsOf(entityId)).toEqual([ops]);
    expect((await read(`group/id/${dev}`)).member_entity_ids).toEqual([]);
    expect((await read(`group/id/${ops}`)).member_entity_ids).toEqual([entityId]);
    await login({ groupAliases: [] });
    expect(await groupsOf(entityId)).toEqual([]);
  });

  test("of other mounts, and those that are set by hand, are not touched", async () => {
    const { entityId } = await login({ groupAliases: ["dev"] });
    await makeAlias(caller, entityId, "tokens", "ada");
    await login({ mountAccessor: "tokens", groupAliases: ["dev"] });
    const byHand = await makeGroup(caller, "by hand", { member_entity_ids: [entityId] });
    await login({ groupAliases: [] });
    expect(await groupsOf(entityId)).toEqual([elsewhere, byHand]);
  });

  test("stay when the auth method does not speak of groups", async () => {
    const { entityId } = await login({ groupAliases: ["dev"] });
    await login();
    expect(await groupsOf(entityId)).toEqual([dev]);
  });

  test("are left when their alias is gone", async () => {
    const { entityId } = await login({ groupAliases: ["dev"] });
    const { id } = (await read(`group/id/${dev}`)).alias;
    await caller.call("delete", `group-alias/id/${id}`);
    expect(await groupsOf(entityId)).toEqual([dev]);
    await login({ groupAliases: ["dev"] });
    expect(await groupsOf(entityId)).toEqual([]);
  });

  test("are refreshed when a token is renewed, also one of an entity that was merged", async () => {
    const ada = await makeEntity(caller, "ada");
    const { entityId } = await login({ groupAliases: ["dev"] });
    await caller.call("write", "entity/merge", { to_entity_id: ada, from_entity_ids: [entityId] });
    await refreshGroups(entityId, { mountAccessor: "users", groupAliases: ["ops"] }, caller.storage);
    expect(await groupsOf(ada)).toEqual([ops]);
    await refreshGroups("nobody", { mountAccessor: "users", groupAliases: ["ops"] }, caller.storage);
  });
});
