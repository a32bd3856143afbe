import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { hostOf, identityCaller, makeAlias, makeEntity, makeGroup, nobody } from "./identity-fixture.suite.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let caller: EngineCaller;
beforeEach(() => {
  caller = identityCaller();
});

const write = (path: string, body: object) => caller.call("write", path, body);
const read = async (path: string) => (await caller.call("read", path)).data;

describe("making an entity", () => {
  test("answers its id and name, and null for aliases", async () => {
    const { data, status } = await write("entity", { name: "Ada" });
    expect(status).toBe(200);
    expect(data).toEqual({ id: expect.stringMatching(uuid), name: "Ada", aliases: null });
  });

  test("gives it a name if it has none", async () => {
    const { data } = await write("entity", {});
    expect(data.name).toMatch(/^entity_[0-9a-f]{8}$/);
    expect((await read(`entity/name/${data.name}`)).id).toBe(data.id);
  });

  test("by a name in the path", async () => {
    const { data } = await write("entity/name/ops/night", { policies: "ops" });
    expect(data.name).toBe("ops/night");
    expect(await read("entity/name/ops/night")).toMatchObject({ id: data.id, policies: ["ops"] });
  });

  test("outside of the root namespace, ids and made-up names end in the namespace", async () => {
    const elsewhere = identityCaller(hostOf("ns1"));
    const { data } = await elsewhere.call("write", "entity", {});
    expect(data.id).toMatch(/^[0-9a-f-]{36}\.ns1$/);
    expect(data.name).toMatch(/^entity_[0-9a-f]{8}\.ns1$/);
    expect((await elsewhere.call("read", `entity/id/${data.id}`)).data.namespace_id).toBe("ns1");
  });
});

test("an entity is read in full, by id and by name in any case", async () => {
  const request = { name: "Ada", metadata: { team: "web", __proto__x: "" }, policies: ["B", " a ", "b", ""] };
  const id = await makeEntity(caller, "Ada", request);
  const alias = await makeAlias(caller, id, "users", "ada");
  const team = await makeGroup(caller, "team", { member_entity_ids: [id] });
  const company = await makeGroup(caller, "company", { member_group_ids: [team] });
  const time = "2030-01-01T00:00:00.000Z";
  const entity = await read(`entity/id/${id}`);
  expect(entity).toEqual({
    id,
    name: "Ada",
    namespace_id: "root",
    metadata: { team: "web", __proto__x: "" },
    policies: ["a", "b"],
    disabled: false,
    aliases: [
      {
        id: alias,
        canonical_id: id,
        name: "ada",
        mount_accessor: "users",
        mount_path: "auth/userpass/",
        mount_type: "userpass",
        local: false,
        metadata: {},
        custom_metadata: {},
        namespace_id: "root",
        merged_from_canonical_ids: [],
        creation_time: time,
        last_update_time: time,
      },
    ],
    direct_group_ids: [team],
    inherited_group_ids: [company],
    group_ids: [team, company],
    merged_entity_ids: [],
    creation_time: time,
    last_update_time: time,
  });
  expect(await read("entity/name/aDA")).toEqual(entity);
});

describe("changing an entity", () => {
  const ways = [
    ["by id", (id: string) => `entity/id/${id}`, () => ({})],
    ["by name", () => "entity/name/ADA", () => ({})],
    ["by id in the body", () => "entity", (id: string) => ({ id })],
    ["by name in the body", () => "entity", () => ({ name: "ada" })],
  ] as const;

  test.each(ways)("%s says nothing, and keeps what is not given", async (_way, path, naming) => {
    const id = await makeEntity(caller, "ada", { metadata: { a: "1" }, policies: ["p"] });
    caller.now += 1000;
    const { status, data } = await write(path(id), { ...naming(id), disabled: "true" });
    expect([status, data]).toEqual([204, undefined]);
    expect(await read(`entity/id/${id}`)).toMatchObject({
      metadata: { a: "1" },
      policies: ["p"],
      disabled: true,
      creation_time: "2030-01-01T00:00:00.000Z",
      last_update_time: "2030-01-01T00:00:01.000Z",
    });
  });

  test("empty values take away", async () => {
    const id = await makeEntity(caller, "ada", { metadata: { a: "1" }, policies: ["p"], disabled: true });
    await write(`entity/id/${id}`, { metadata: {}, policies: [], disabled: false });
    expect(await read(`entity/id/${id}`)).toMatchObject({ metadata: {}, policies: [], disabled: false });
  });

  test("a new name frees the old one", async () => {
    const id = await makeEntity(caller, "ada");
    await write(`entity/id/${id}`, { name: "Grace" });
    await expect(read("entity/name/ada")).rejects.toMatchObject({ status: 404 });
    expect((await read("entity/name/grace")).name).toBe("Grace");
    expect(await makeEntity(caller, "ada")).not.toBe(id);
  });

  test("the same name in another case is the same name", async () => {
    const id = await makeEntity(caller, "ada");
    await write(`entity/id/${id}`, { name: "ADA" });
    expect((await caller.call("list", "entity/name")).data.keys).toEqual(["ADA"]);
  });

  test("every pair of names that looks alike in keys is still two names", async () => {
    const names = ["a.b", "a/b", "a.0b", "a.1b", "a"];
    const ids = await Promise.all(names.map((name) => makeEntity(caller, name)));
    expect(new Set(ids).size).toBe(names.length);
    expect((await caller.call("list", "entity/name")).data.keys).toEqual([...names].sort());
  });
});

describe("refused", () => {
  const tooMany = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, "v"]));
  const cases = [
    ["entity", { id: nobody }, "entity not found from id"],
    [`entity/id/${nobody}`, { name: "x" }, "entity not found from id"],
    ["entity/id/a%2f..", {}, "entity not found from id"],
    ["entity", { policies: ["root"] }, "policies cannot contain root"],
    ["entity", { policies: "a, ROOT " }, "policies cannot contain root"],
    ["entity", { name: "x".repeat(513) }, "the name is 513 bytes long"],
    ["entity", { metadata: tooMany }, "at most 64 keys"],
    ["entity", { metadata: { ["k".repeat(129)]: "v" } }, "129 bytes long"],
    ["entity", { metadata: { k: "v".repeat(513) } }, "513 bytes long"],
    ["entity", { metadata: { "": "v" } }, "0 bytes long"],
    ["entity", { disabled: "perhaps" }, "expected a boolean"],
    ["entity/batch-delete", {}, "missing entity ids to delete"],
  ] as const;

  test.each(cases)("%s %j: %s", async (path, body, message) => {
    await expect(write(path, body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(caller.storage.entries.size).toBe(0);
  });

  test("a name that another entity has", async () => {
    const id = await makeEntity(caller, "ada");
    await makeEntity(caller, "grace");
    await expect(write(`entity/id/${id}`, { name: "GRACE" })).rejects.toThrow("entity name is already in use");
    await expect(write("entity/name/grace", { id })).rejects.toThrow("entity name is already in use");
  });

  test("half a surrogate pair, which would be stored as another name", async () => {
    await expect(caller.call("write", "entity", '{"name":"a\\ud800"}')).rejects.toMatchObject({ status: 400 });
  });
});

describe("deleting", () => {
  const ways = [
    ["delete", (id: string) => `entity/id/${id}`, () => ({})],
    ["delete", () => "entity/name/ada", () => ({})],
    ["write", () => "entity/batch-delete", (id: string) => ({ entity_ids: `${id},${nobody}` })],
  ] as const;

  test.each(ways)("%s leaves nothing behind (%#)", async (operation, path, body) => {
    const id = await makeEntity(caller, "ada");
    await makeAlias(caller, id, "users", "ada");
    const team = await makeGroup(caller, "team", { member_entity_ids: [id] });
    const { status } = await caller.call(operation, path(id), body(id));
    expect(status).toBe(204);
    await expect(read(`entity/id/${id}`)).rejects.toMatchObject({ status: 404 });
    expect((await read(`group/id/${team}`)).member_entity_ids).toEqual([]);
    const left = [...caller.storage.entries.keys()].filter((key) => !/^(group|members-changed)/.test(key));
    expect(left).toEqual([]);
  });

  test.each([`entity/id/${nobody}`, "entity/name/nobody"])("%s is gone already", async (path) => {
    expect((await caller.call("delete", path)).status).toBe(204);
  });
});

describe("lists", () => {
  test("by id, with names and aliases", async () => {
    const ada = await makeEntity(caller, "ada");
    const grace = await makeEntity(caller, "grace");
    const alias = await makeAlias(caller, ada, "users", "ada");
    const { data } = await caller.call("list", "entity/id");
    expect(data.keys).toEqual([ada, grace].sort());
    expect(data.key_info).toEqual({
      [ada]: {
        name: "ada",
        aliases: [
          { id: alias, name: "ada", mount_accessor: "users", mount_path: "auth/userpass/", mount_type: "userpass" },
        ],
      },
      [grace]: { name: "grace" },
    });
  });

  test("by name, with names only", async () => {
    for (const name of ["b", "A", "c"]) await makeEntity(caller, name);
    expect((await caller.call("list", "entity/name")).data).toEqual({ keys: ["A", "b", "c"] });
  });

  test.each(["entity/id", "entity/name"])("%s is cut into pages", async (path) => {
    for (const name of ["a.x", "a/x", "A-x", "b", "c"]) await makeEntity(caller, name);
    const all = (await caller.call("list", path)).data.keys;
    const paged: string[] = [];
    for (;;) {
      const { keys } = (await caller.call("list", path, { after: paged.at(-1) ?? "", limit: 2 })).data;
      paged.push(...keys);
      if (keys.length === 0) break;
    }
    expect(paged).toEqual(all);
    expect(all).toHaveLength(5);
  });
});
