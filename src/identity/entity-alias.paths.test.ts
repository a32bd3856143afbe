import { beforeEach, describe, expect, test } from "vitest";
import { type EngineCaller, MapStorage } from "../../test/support/engine-caller.ts";
import { hostOf, identityCaller, makeAlias, makeEntity, mounts, nobody } from "./identity-fixture.suite.ts";

let caller: EngineCaller;
let ada: string;
let grace: string;
beforeEach(async () => {
  caller = identityCaller();
  ada = await makeEntity(caller, "ada");
  grace = await makeEntity(caller, "grace");
});

const write = (path: string, body: object | string) => caller.call("write", path, body);
const read = async (id: string) => (await caller.call("read", `entity-alias/id/${id}`)).data;
const aliasesOf = async (entity: string) =>
  (await caller.call("read", `entity/id/${entity}`)).data.aliases.map(({ id }: { id: string }) => id);

describe("making an alias", () => {
  test("for an entity answers both ids", async () => {
    const { data, status } = await write("entity-alias", { name: "ada", canonical_id: ada, mount_accessor: "users" });
    expect(status).toBe(200);
    expect(data).toEqual({ id: expect.any(String), canonical_id: ada });
    expect(await aliasesOf(ada)).toEqual([data.id]);
  });

  test("without an entity makes one", async () => {
    const { data } = await write("entity-alias", { name: "bob", mount_accessor: "users" });
    const entity = (await caller.call("read", `entity/id/${data.canonical_id}`)).data;
    expect(entity.name).toMatch(/^entity_[0-9a-f]{8}$/);
    expect(entity.aliases).toMatchObject([{ id: data.id, name: "bob", canonical_id: data.canonical_id }]);
  });

  test("the older field and the older paths are the same", async () => {
    for (const [path, name] of [["alias", "a"] as const, ["persona", "b"] as const]) {
      const entity = await makeEntity(caller, name);
      const { data } = await write(path, { name, entity_id: entity, mount_accessor: "users" });
      expect(data.canonical_id).toBe(entity);
      expect((await caller.call("read", `${path}/id/${data.id}`)).data.name).toBe(name);
      expect((await caller.call("list", `${path}/id`)).data.keys).toContain(data.id);
      await write(`${path}/id/${data.id}`, { name: `${name}2` });
      expect((await caller.call("delete", `${path}/id/${data.id}`)).status).toBe(204);
    }
  });

  test("an alias on a local mount is local", async () => {
    expect(await read(await makeAlias(caller, ada, "machines", "m"))).toMatchObject({ local: true });
  });
});

test("an alias is read in full", async () => {
  const { data } = await write("entity-alias", {
    name: "Ada",
    canonical_id: ada,
    mount_accessor: "users",
    custom_metadata: { office: "north" },
  });
  expect(await read(data.id)).toEqual({
    id: data.id,
    canonical_id: ada,
    name: "Ada",
    mount_accessor: "users",
    mount_path: "auth/userpass/",
    mount_type: "userpass",
    metadata: {},
    custom_metadata: { office: "north" },
    local: false,
    namespace_id: "root",
    merged_from_canonical_ids: [],
    creation_time: "2030-01-01T00:00:00.000Z",
    last_update_time: "2030-01-01T00:00:00.000Z",
  });
});

describe("the same mount and name again", () => {
  const again = { name: "ada", mount_accessor: "users" };

  test("with nothing new says nothing", async () => {
    const first = await write("entity-alias", { ...again, canonical_id: ada, custom_metadata: { a: "1" } });
    for (const body of [
      { ...again, custom_metadata: { a: "1" } },
      { ...again, canonical_id: ada, custom_metadata: ["a=1"] },
      { id: first.data.id },
      { id: first.data.id, ...again, canonical_id: ada },
    ]) {
      expect((await write("entity-alias", body)).status, JSON.stringify(body)).toBe(204);
    }
  });

  test("is a change of that alias", async () => {
    const { data } = await write("entity-alias", { ...again, canonical_id: ada });
    caller.now += 1000;
    const changed = await write("entity-alias", { ...again, custom_metadata: { a: "1" } });
    expect(changed).toMatchObject({ status: 200, data });
    expect(await read(data.id)).toMatchObject({
      custom_metadata: { a: "1" },
      creation_time: "2030-01-01T00:00:00.000Z",
      last_update_time: "2030-01-01T00:00:01.000Z",
    });
  });

  test("without custom_metadata takes it away, which a write by id does not", async () => {
    const { data } = await write("entity-alias", { ...again, canonical_id: ada, custom_metadata: { a: "1" } });
    await write(`entity-alias/id/${data.id}`, { name: "ada2" });
    expect((await read(data.id)).custom_metadata).toEqual({ a: "1" });
    await write(`entity-alias/id/${data.id}`, { name: "ada" });
    expect((await write("entity-alias", again)).status).toBe(200);
    expect((await read(data.id)).custom_metadata).toEqual({});
  });

  test("in another case is the same name, and a change of it", async () => {
    const { data } = await write("entity-alias", { ...again, canonical_id: ada });
    const changed = await write("entity-alias", { ...again, name: "ADA" });
    expect(changed.data).toEqual(data);
    expect((await read(data.id)).name).toBe("ADA");
  });

  test("with another entity moves it", async () => {
    const { data } = await write("entity-alias", { ...again, canonical_id: ada });
    const moved = await write("entity-alias", { ...again, canonical_id: grace });
    expect(moved).toMatchObject({ status: 200, data: { id: data.id, canonical_id: grace } });
  });
});

describe("changing by id", () => {
  let alias: string;
  beforeEach(async () => {
    alias = await makeAlias(caller, ada, "users", "ada");
  });

  test("a new name, and the old one is free", async () => {
    expect(await write(`entity-alias/id/${alias}`, { name: "lady" })).toMatchObject({
      status: 200,
      data: { id: alias, canonical_id: ada },
    });
    expect((await read(alias)).name).toBe("lady");
    expect(await makeAlias(caller, grace, "users", "ada")).not.toBe(alias);
  });

  test("another mount", async () => {
    await write(`entity-alias/id/${alias}`, { mount_accessor: "tokens" });
    expect(await read(alias)).toMatchObject({ name: "ada", mount_accessor: "tokens", mount_type: "jwt", local: false });
    await write(`entity-alias/id/${alias}`, { mount_accessor: "machines" });
    expect(await read(alias)).toMatchObject({ name: "ada", mount_accessor: "machines", local: true });
    await makeAlias(caller, ada, "users", "ada");
  });

  test("another entity", async () => {
    const { data, status } = await write(`entity-alias/id/${alias}`, { canonical_id: grace });
    expect([status, data]).toEqual([200, { id: alias, canonical_id: grace }]);
    expect(await aliasesOf(ada)).toEqual([]);
    expect(await aliasesOf(grace)).toEqual([alias]);
  });

  test("everything at once, through the id in the body", async () => {
    const all = { canonical_id: grace, name: "g", mount_accessor: "tokens", custom_metadata: { a: "1" } };
    await write("entity-alias", { id: alias, ...all });
    expect(await read(alias)).toMatchObject(all);
  });

  test("names of keys cannot reach a prototype", async () => {
    await write(`entity-alias/id/${alias}`, '{"custom_metadata":{"__proto__":"x","constructor":"y"}}');
    const { custom_metadata } = await read(alias);
    expect(JSON.stringify(custom_metadata)).toBe('{"__proto__":"x","constructor":"y"}');
  });
});

describe("refused", () => {
  let alias: string;
  beforeEach(async () => {
    alias = await makeAlias(caller, ada, "users", "ada");
    await makeAlias(caller, ada, "tokens", "ada@example");
    await makeAlias(caller, grace, "users", "grace");
  });

  const byId = () => `entity-alias/id/${alias}`;
  const pair = (name: string, mount_accessor: string) => ({ name, mount_accessor });
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, "v"]));
  const cases: [string, () => string, () => object, string][] = [
    [
      "no name",
      () => "entity-alias",
      () => ({ mount_accessor: "users" }),
      "'id' or 'mount_accessor' and 'name' must be provided",
    ],
    ["no mount", () => "entity-alias", () => ({ name: "x" }), "'id' or 'mount_accessor' and 'name' must be provided"],
    ["nothing", () => "entity-alias", () => ({}), "'id' or 'mount_accessor' and 'name' must be provided"],
    ["bad mount", () => "entity-alias", () => pair("x", "nope"), 'invalid mount accessor "nope"'],
    ["bad mount in a change", byId, () => ({ mount_accessor: "nope" }), 'invalid mount accessor "nope"'],
    [
      "bad entity",
      () => "entity-alias",
      () => ({ ...pair("x", "users"), canonical_id: nobody }),
      "invalid canonical ID",
    ],
    [
      "bad entity in a change",
      byId,
      () => ({ canonical_id: nobody }),
      "given 'canonical_id' is not associated with an entity",
    ],
    ["bad id", () => "entity-alias", () => ({ id: nobody, ...pair("x", "users") }), "invalid alias ID provided"],
    ["bad id in the path", () => `entity-alias/id/${nobody}`, () => ({ name: "x" }), "invalid alias ID provided"],
    [
      "second alias on a mount",
      () => "entity-alias",
      () => ({ ...pair("x", "users"), canonical_id: ada }),
      "Alias already exists for requested entity and mount accessor",
    ],
    [
      "name of another",
      byId,
      () => ({ name: "GRACE" }),
      "alias with combination of mount accessor and name already exists",
    ],
    [
      "mount where it has one",
      byId,
      () => ({ mount_accessor: "tokens" }),
      "Alias cannot be updated as the entity already has an alias for the given 'mount_accessor' ",
    ],
    [
      "move to one that has one",
      byId,
      () => ({ canonical_id: grace }),
      "Alias cannot be updated as the given entity already has an alias for this mount ",
    ],
    [
      "65 pairs",
      byId,
      () => ({ custom_metadata: many }),
      "custom_metadata validation failed: at most 64 keys are allowed, and there are 65",
    ],
    ["empty key", byId, () => ({ custom_metadata: { "": "v" } }), "is 0 bytes long, and must be between 1 and 128"],
    [
      "long key",
      byId,
      () => ({ custom_metadata: { ["é".repeat(65)]: "v" } }),
      "is 130 bytes long, and must be between 1 and 128",
    ],
    ["empty value", byId, () => ({ custom_metadata: { k: "" } }), "is 0 bytes long, and must be between 1 and 512"],
    [
      "long value",
      byId,
      () => ({ custom_metadata: { k: "v".repeat(513) } }),
      "is 513 bytes long, and must be between 1 and 512",
    ],
    ["unprintable", byId, () => ({ custom_metadata: { k: "a\nb" } }), "cannot be printed"],
    ["no strings", byId, () => ({ custom_metadata: { k: {} } }), "expected a map of strings"],
  ];

  test.each(cases)("%s", async (_name, path, body, message) => {
    const before = new Map(caller.storage.entries);
    const refusal = { status: 400, message: expect.stringContaining(message) };
    await expect(write(path(), body())).rejects.toMatchObject(refusal);
    expect(caller.storage.entries).toEqual(before);
  });

  test("64 pairs of the longest kind are fine", async () => {
    const full = Object.fromEntries(
      Array.from({ length: 64 }, (_, index) => [String(index).padEnd(128, "k"), "v".repeat(512)]),
    );
    expect((await write(byId(), { custom_metadata: full })).status).toBe(200);
  });

  test("a local alias does not move", async () => {
    const local = await makeAlias(caller, ada, "machines", "m");
    await expect(write(`entity-alias/id/${local}`, { canonical_id: grace })).rejects.toThrow(
      "local aliases can't be moved between entities",
    );
  });

  test("a mount of another namespace", async () => {
    await expect(write("entity-alias", pair("x", "foreign"))).rejects.toMatchObject({
      status: 403,
      message: "matching mount is in a different namespace than request",
    });
  });
});

test("deleting", async () => {
  const alias = await makeAlias(caller, ada, "users", "ada");
  expect((await caller.call("delete", `entity-alias/id/${alias}`)).status).toBe(204);
  expect(await aliasesOf(ada)).toEqual([]);
  await expect(read(alias)).rejects.toMatchObject({ status: 404 });
  expect((await caller.call("delete", `entity-alias/id/${alias}`)).status).toBe(204);
  expect(await makeAlias(caller, grace, "users", "ada")).not.toBe(alias);
});

test("the list tells of each alias, and pages", async () => {
  const first = await makeAlias(caller, ada, "users", "ada");
  const second = await makeAlias(caller, grace, "tokens", "grace");
  await write(`entity-alias/id/${second}`, { custom_metadata: { a: "1" } });
  const { data } = await caller.call("list", "entity-alias/id");
  expect(data.keys).toEqual([first, second].sort());
  expect(data.key_info[second]).toEqual({
    canonical_id: grace,
    custom_metadata: { a: "1" },
    local: false,
    metadata: {},
    mount_accessor: "tokens",
    mount_path: "auth/jwt/",
    mount_type: "jwt",
    name: "grace",
  });
  expect((await caller.call("list", "entity-alias/id", { limit: 1 })).data.keys).toEqual(data.keys.slice(0, 1));
  expect((await caller.call("list", "entity-alias/id", { after: data.keys[0] })).data.keys).toEqual([data.keys[1]]);
});

test("an alias outlives its mount, and can still be read and deleted", async () => {
  const storage = new MapStorage();
  const before = identityCaller(hostOf(), storage);
  const entity = await makeEntity(before, "ada");
  const alias = await makeAlias(before, entity, "users", "ada");
  const { users: _gone, ...left } = mounts;
  const after = identityCaller(hostOf("root", left), storage);
  expect((await after.call("read", `entity-alias/id/${alias}`)).data).toMatchObject({ mount_path: "", mount_type: "" });
  await expect(after.call("write", `entity-alias/id/${alias}`, { name: "x" })).rejects.toThrow(
    'invalid mount accessor "users"',
  );
  expect((await after.call("delete", `entity-alias/id/${alias}`)).status).toBe(204);
});
