import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { identityCaller, makeGroup, nobody } from "./identity-fixture.suite.ts";

let caller: EngineCaller;
let team: string;
let internal: string;
beforeEach(async () => {
  caller = identityCaller();
  team = await makeGroup(caller, "team", { type: "external" });
  internal = await makeGroup(caller, "internal");
});

const write = (path: string, body: object) => caller.call("write", path, body);
const read = async (path: string) => (await caller.call("read", path)).data;
const dev = { name: "dev", mount_accessor: "tokens" };

test("an alias of a group is made, read and deleted", async () => {
  const { data, status } = await write("group-alias", { ...dev, canonical_id: team });
  expect([status, data]).toEqual([200, { id: expect.any(String), canonical_id: team }]);
  const alias = await read(`group-alias/id/${data.id}`);
  expect(alias).toEqual({
    id: data.id,
    canonical_id: team,
    name: "dev",
    mount_accessor: "tokens",
    mount_path: "auth/jwt/",
    mount_type: "jwt",
    metadata: {},
    custom_metadata: {},
    local: false,
    namespace_id: "root",
    merged_from_canonical_ids: [],
    creation_time: "2030-01-01T00:00:00.000Z",
    last_update_time: "2030-01-01T00:00:00.000Z",
  });
  expect((await read(`group/id/${team}`)).alias).toEqual(alias);
  expect((await caller.call("delete", `group-alias/id/${data.id}`)).status).toBe(204);
  await expect(read(`group-alias/id/${data.id}`)).rejects.toMatchObject({ status: 404 });
  expect((await read(`group/id/${team}`)).alias).toEqual({});
  expect((await caller.call("delete", `group-alias/id/${data.id}`)).status).toBe(204);
});

test("without a group it makes an external one", async () => {
  const { data } = await write("group-alias", dev);
  expect(await read(`group/id/${data.canonical_id}`)).toMatchObject({ type: "external", alias: { id: data.id } });
});

test("a second one takes the place of the first", async () => {
  const first = (await write("group-alias", { ...dev, canonical_id: team })).data;
  const second = (await write("group-alias", { name: "ops", mount_accessor: "users", canonical_id: team })).data;
  expect(second).toEqual({ id: expect.any(String), canonical_id: team });
  await expect(read(`group-alias/id/${first.id}`)).rejects.toMatchObject({ status: 404 });
  expect((await read(`group/id/${team}`)).alias).toMatchObject({ id: second.id, name: "ops" });
  expect((await write("group-alias", dev)).status).toBe(200);
});

describe("changing by id", () => {
  let alias: string;
  beforeEach(async () => {
    alias = (await write("group-alias", { ...dev, canonical_id: team })).data.id;
  });

  test.each([() => `group-alias/id/${alias}`, () => "group-alias"])(
    "the same again says nothing (%#)",
    async (path) => {
      expect((await write(path(), { ...(path() === "group-alias" && { id: alias }), ...dev })).status).toBe(204);
    },
  );

  test("a new name", async () => {
    caller.now += 1000;
    expect((await write(`group-alias/id/${alias}`, { name: "ops" })).data).toEqual({ id: alias, canonical_id: team });
    expect(await read(`group-alias/id/${alias}`)).toMatchObject({
      name: "ops",
      mount_accessor: "tokens",
      creation_time: "2030-01-01T00:00:00.000Z",
      last_update_time: "2030-01-01T00:00:01.000Z",
    });
    expect((await write("group-alias", dev)).status).toBe(200);
  });

  test("another group", async () => {
    const other = (await write("group-alias", { name: "other", mount_accessor: "tokens" })).data;
    const moved = await write(`group-alias/id/${alias}`, { ...dev, canonical_id: other.canonical_id });
    expect(moved.data).toEqual({ id: alias, canonical_id: other.canonical_id });
    expect((await read(`group/id/${team}`)).alias).toEqual({});
    await expect(read(`group-alias/id/${other.id}`)).rejects.toMatchObject({ status: 404 });
  });
});

describe("refused", () => {
  beforeEach(async () => {
    await write("group-alias", { ...dev, canonical_id: team });
  });

  const cases: [string, string, () => object, string][] = [
    ["no name", "group-alias", () => ({ mount_accessor: "tokens" }), "missing alias name"],
    ["no mount", "group-alias", () => ({ name: "x" }), "missing mount_accessor"],
    ["bad mount", "group-alias", () => ({ name: "x", mount_accessor: "nope" }), 'invalid mount accessor "nope"'],
    [
      "local mount",
      "group-alias",
      () => ({ name: "x", mount_accessor: "machines" }),
      'mount accessor "machines" is a local mount',
    ],
    [
      "in use",
      "group-alias",
      () => ({ ...dev, name: "DEV" }),
      "combination of mount and group alias name is already in use",
    ],
    [
      "in use by itself",
      "group-alias",
      () => ({ ...dev, canonical_id: team }),
      "combination of mount and group alias name is already in use",
    ],
    [
      "internal group",
      "group-alias",
      () => ({ ...dev, canonical_id: internal }),
      "alias can't be set on an internal group",
    ],
    [
      "no such group",
      "group-alias",
      () => ({ ...dev, canonical_id: nobody }),
      "invalid group ID given in 'canonical_id'",
    ],
    ["no such alias", `group-alias/id/${nobody}`, () => dev, "invalid group alias ID"],
    ["no such alias in the body", "group-alias", () => ({ id: nobody, ...dev }), "invalid group alias ID"],
  ];

  test.each(cases)("%s", async (_name, path, body, message) => {
    const before = new Map(caller.storage.entries);
    await expect(write(path, body())).rejects.toMatchObject({ status: 400, message });
    expect(caller.storage.entries).toEqual(before);
  });
});

test("the list tells of each alias, and pages", async () => {
  const first = (await write("group-alias", { ...dev, canonical_id: team })).data;
  const second = (await write("group-alias", { ...dev, name: "ops" })).data;
  const { data } = await caller.call("list", "group-alias/id");
  expect(data.keys).toEqual([first.id, second.id].sort());
  expect(data.key_info[first.id]).toEqual({
    canonical_id: team,
    custom_metadata: {},
    local: false,
    metadata: {},
    mount_accessor: "tokens",
    mount_path: "auth/jwt/",
    mount_type: "jwt",
    name: "dev",
  });
  expect((await caller.call("list", "group-alias/id", { after: data.keys[0] })).data.keys).toEqual([data.keys[1]]);
});

test("a deleted group frees the name of its alias", async () => {
  const { data } = await write("group-alias", { ...dev, canonical_id: team });
  await caller.call("delete", `group/id/${team}`);
  await expect(read(`group-alias/id/${data.id}`)).rejects.toMatchObject({ status: 404 });
  expect((await write("group-alias", dev)).status).toBe(200);
});
