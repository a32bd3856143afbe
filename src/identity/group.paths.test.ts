import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { identityCaller, makeEntity, makeGroup, nobody } from "./identity-fixture.suite.ts";

let caller: EngineCaller;
beforeEach(() => {
  caller = identityCaller();
});

const write = (path: string, body: object) => caller.call("write", path, body);
const read = async (path: string) => (await caller.call("read", path)).data;

describe("making a group", () => {
  test("answers its id and name", async () => {
    const { data, status } = await write("group", { name: "Web", policies: ["W"] });
    expect([status, data]).toEqual([200, { id: expect.any(String), name: "Web" }]);
  });

  test("gives it a name if it has none", async () => {
    const { data } = await write("group", { type: "external" });
    expect(data.name).toMatch(/^group_[0-9a-f]{8}$/);
    expect((await read(`group/name/${data.name}`)).type).toBe("external");
  });

  test("by a name in the path", async () => {
    const { data } = await write("group/name/dev/ops", {});
    expect(await read("group/name/DEV/ops")).toMatchObject({ id: data.id, name: "dev/ops", type: "internal" });
  });
});

test("a group is read in full", async () => {
  const ada = await makeEntity(caller, "ada");
  const inner = await makeGroup(caller, "inner");
  const id = await makeGroup(caller, "Web", {
    policies: "B,a",
    metadata: { k: "v" },
    member_entity_ids: [ada, ada],
    member_group_ids: [inner],
  });
  const outer = await makeGroup(caller, "outer", { member_group_ids: id });
  const group = {
    id,
    name: "Web",
    namespace_id: "root",
    type: "internal",
    metadata: { k: "v" },
    policies: ["a", "b"],
    member_entity_ids: [ada],
    member_group_ids: [inner],
    parent_group_ids: [outer],
    alias: {},
    creation_time: "2030-01-01T00:00:00.000Z",
    last_update_time: "2030-01-01T00:00:00.000Z",
    modify_index: 2,
  };
  expect(await read(`group/id/${id}`)).toEqual(group);
  expect(await read("group/name/web")).toEqual(group);
});

describe("changing a group", () => {
  const ways = [
    ["by id", (id: string) => `group/id/${id}`, () => ({})],
    ["by name", () => "group/name/WEB", () => ({})],
    ["by id in the body", () => "group", (id: string) => ({ id })],
    ["by name in the body", () => "group", () => ({ name: "web" })],
  ] as const;

  test.each(ways)("%s says nothing, and keeps what is not given", async (_way, path, naming) => {
    const ada = await makeEntity(caller, "ada");
    const id = await makeGroup(caller, "web", { policies: ["p"], member_entity_ids: [ada] });
    caller.now += 1000;
    expect(await write(path(id), { ...naming(id), metadata: { a: "1" } })).toMatchObject({ status: 204 });
    expect(await read(`group/id/${id}`)).toMatchObject({
      policies: ["p"],
      metadata: { a: "1" },
      member_entity_ids: [ada],
      last_update_time: "2030-01-01T00:00:01.000Z",
      modify_index: 2,
    });
  });

  test("the lists of members are replaced", async () => {
    const [ada, grace] = [await makeEntity(caller, "ada"), await makeEntity(caller, "grace")];
    const [a, b] = [await makeGroup(caller, "a"), await makeGroup(caller, "b")];
    const id = await makeGroup(caller, "web", { member_entity_ids: [ada], member_group_ids: [a] });
    await write(`group/id/${id}`, { member_entity_ids: [grace], member_group_ids: [b] });
    expect(await read(`group/id/${id}`)).toMatchObject({ member_entity_ids: [grace], member_group_ids: [b] });
    expect((await read(`entity/id/${ada}`)).group_ids).toEqual([]);
    expect((await read(`group/id/${a}`)).parent_group_ids).toEqual([]);
    expect((await read(`group/id/${b}`)).parent_group_ids).toEqual([id]);
    await write(`group/id/${id}`, { member_entity_ids: [], member_group_ids: "" });
    expect(await read(`group/id/${id}`)).toMatchObject({ member_entity_ids: [], member_group_ids: [] });
  });

  test("a group that is reached in two ways counts once", async () => {
    const ada = await makeEntity(caller, "ada");
    const left = await makeGroup(caller, "left", { member_entity_ids: [ada] });
    const right = await makeGroup(caller, "right", { member_entity_ids: [ada] });
    const top = await makeGroup(caller, "top", { member_group_ids: [left, right] });
    const crown = await makeGroup(caller, "crown", { member_group_ids: [top, left], member_entity_ids: [ada] });
    const entity = await read(`entity/id/${ada}`);
    expect(entity.direct_group_ids).toEqual([left, right, crown]);
    expect(entity.inherited_group_ids).toEqual([top]);
  });
});

describe("refused", () => {
  let ada: string;
  let web: string;
  let external: string;
  let above: string;
  beforeEach(async () => {
    ada = await makeEntity(caller, "ada");
    web = await makeGroup(caller, "web");
    external = await makeGroup(caller, "external", { type: "external" });
    const middle = await makeGroup(caller, "middle", { member_group_ids: [web] });
    above = await makeGroup(caller, "above", { member_group_ids: [middle] });
  });

  const path = () => `group/id/${web}`;
  const quoted = (id: string) => JSON.stringify(id);
  const cases: [string, () => string, () => object, () => string][] = [
    ["unknown id", () => "group", () => ({ id: nobody }), () => "invalid group ID"],
    ["unknown id in the path", () => `group/id/${nobody}`, () => ({}), () => "invalid group ID"],
    ["root", path, () => ({ policies: "ROOT" }), () => "policies cannot contain root"],
    ["another type", path, () => ({ type: "external" }), () => "group type cannot be changed"],
    ["no such type", () => "group", () => ({ type: "secret" }), () => 'invalid group type "secret"'],
    ["a name in use", path, () => ({ name: "ABOVE" }), () => "group name is already in use"],
    ["a name too long", path, () => ({ name: "x".repeat(513) }), () => "the name is 513 bytes long"],
    ["metadata too long", path, () => ({ metadata: { k: "v".repeat(513) } }), () => "metadata validation failed"],
    ["no such entity", path, () => ({ member_entity_ids: [ada, nobody] }), () => `invalid entity ID ${quoted(nobody)}`],
    ["no such group", path, () => ({ member_group_ids: [nobody] }), () => `invalid member group ID ${quoted(nobody)}`],
    [
      "itself",
      path,
      () => ({ member_group_ids: web }),
      () => `member group ID ${quoted(web)} is same as the ID of the group`,
    ],
    [
      "a circle",
      path,
      () => ({ member_group_ids: above }),
      () => `cyclic relationship detected for member group ID ${quoted(above)}`,
    ],
    [
      "entities of an external group",
      () => `group/id/${external}`,
      () => ({ member_entity_ids: [ada] }),
      () => "member entities can't be set manually for external groups",
    ],
    [
      "groups of an external group",
      () => `group/id/${external}`,
      () => ({ member_group_ids: [web] }),
      () => "member groups can't be set for external groups",
    ],
    [
      "entities of a new external group",
      () => "group",
      () => ({ type: "external", member_entity_ids: [] }),
      () => "member entities can't be set manually for external groups",
    ],
  ];

  test.each(cases)("%s", async (_name, where, body, message) => {
    const before = new Map(caller.storage.entries);
    await expect(write(where(), body())).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message()),
    });
    expect(caller.storage.entries).toEqual(before);
  });

  test("not a circle: the same group below two others", async () => {
    const other = await makeGroup(caller, "other", { member_group_ids: [web, external] });
    expect((await read(`group/id/${web}`)).parent_group_ids).toContain(other);
  });
});

describe("deleting", () => {
  test.each(["id", "name"])("by %s leaves nothing behind, and members go on", async (by) => {
    const ada = await makeEntity(caller, "ada");
    const inner = await makeGroup(caller, "inner");
    const clean = new Map(caller.storage.entries);
    const id = await makeGroup(caller, "web", { member_entity_ids: [ada], member_group_ids: [inner] });
    const outer = await makeGroup(caller, "outer", { member_group_ids: [id] });
    expect((await caller.call("delete", by === "id" ? `group/id/${id}` : "group/name/Web")).status).toBe(204);
    expect((await read(`group/id/${outer}`)).member_group_ids).toEqual([]);
    expect((await read(`group/id/${inner}`)).parent_group_ids).toEqual([]);
    expect((await read(`entity/id/${ada}`)).group_ids).toEqual([]);
    await caller.call("delete", `group/id/${outer}`);
    expect([...caller.storage.entries.keys()].sort()).toEqual([...clean.keys()].sort());
  });

  test.each([`group/id/${nobody}`, "group/name/nobody"])("%s is gone already", async (path) => {
    expect((await caller.call("delete", path)).status).toBe(204);
    await expect(read(path)).rejects.toMatchObject({ status: 404 });
  });
});

describe("lists", () => {
  test("by id, with what there is to know of each", async () => {
    const ada = await makeEntity(caller, "ada");
    const web = await makeGroup(caller, "web", { member_entity_ids: [ada] });
    const outer = await makeGroup(caller, "outer", { member_group_ids: [web] });
    const { canonical_id: team, id: alias } = (await write("group-alias", { name: "dev", mount_accessor: "tokens" }))
      .data;
    const { data } = await caller.call("list", "group/id");
    expect(data.keys).toEqual([web, outer, team].sort());
    expect(data.key_info).toEqual({
      [web]: { name: "web", num_member_entities: 1, num_parent_groups: 1 },
      [outer]: { name: "outer", num_member_entities: 0, num_parent_groups: 0 },
      [team]: {
        name: expect.stringMatching(/^group_/),
        num_member_entities: 0,
        num_parent_groups: 0,
        alias: { id: alias, name: "dev", mount_accessor: "tokens", mount_path: "auth/jwt/", mount_type: "jwt" },
      },
    });
  });

  test.each(["group/id", "group/name"])("%s is cut into pages", async (path) => {
    for (const name of ["a", "B", "c"]) await makeGroup(caller, name);
    const { keys } = (await caller.call("list", path)).data;
    expect(keys).toHaveLength(3);
    const rest = (await caller.call("list", path, { after: keys[0], limit: 5 })).data.keys;
    expect(rest).toEqual(keys.slice(1));
    expect((await caller.call("list", path, { limit: "2" })).data.keys).toEqual(keys.slice(0, 2));
  });
});
