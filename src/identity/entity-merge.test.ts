import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { effectiveIdentity, entityExists } from "./effective.ts";
import { identityCaller, makeAlias, makeEntity, makeGroup, nobody } from "./identity-fixture.suite.ts";

let caller: EngineCaller;
let ada: string;
let lovelace: string;
beforeEach(async () => {
  caller = identityCaller();
  ada = await makeEntity(caller, "ada", { policies: ["a"], metadata: { k: "ada" } });
  lovelace = await makeEntity(caller, "lovelace", { policies: ["b"], metadata: { k: "lovelace" } });
});

const read = async (path: string) => (await caller.call("read", path)).data;
const merge = (from: readonly string[], options: object = {}) =>
  caller.call("write", "entity/merge", { to_entity_id: ada, from_entity_ids: from, ...options });
const aliasNames = async () => (await read(`entity/id/${ada}`)).aliases.map(({ name }: { name: string }) => name);

test("aliases, groups and policies come together, and the other id is remembered", async () => {
  const own = await makeAlias(caller, ada, "users", "ada");
  const coming = await makeAlias(caller, lovelace, "tokens", "lovelace");
  const shared = await makeGroup(caller, "shared", { member_entity_ids: [ada, lovelace] });
  const only = await makeGroup(caller, "only", { member_entity_ids: [lovelace] });
  caller.now += 1000;
  expect((await merge([lovelace])).status).toBe(204);
  const merged = await read(`entity/id/${ada}`);
  expect(merged).toMatchObject({
    name: "ada",
    metadata: { k: "ada" },
    policies: ["a", "b"],
    direct_group_ids: [shared, only],
    merged_entity_ids: [lovelace],
    last_update_time: "2030-01-01T00:00:01.000Z",
  });
  expect(merged.aliases).toMatchObject([
    { id: own, canonical_id: ada, merged_from_canonical_ids: [] },
    { id: coming, canonical_id: ada, merged_from_canonical_ids: [lovelace] },
  ]);
  expect((await read(`group/id/${only}`)).member_entity_ids).toEqual([ada]);
  expect((await read(`group/id/${shared}`)).member_entity_ids).toEqual([ada]);
});

test("the merged id reads as gone, its name is free, and its tokens go on as tokens of the other", async () => {
  await merge([lovelace]);
  await expect(read(`entity/id/${lovelace}`)).rejects.toMatchObject({ status: 404 });
  await expect(read("entity/name/lovelace")).rejects.toMatchObject({ status: 404 });
  expect((await effectiveIdentity(lovelace, caller.storage))?.entity.id).toBe(ada);
  expect(await makeEntity(caller, "lovelace")).not.toBe(lovelace);
});

test("an entity that took in others can be taken in itself", async () => {
  const last = await makeEntity(caller, "last");
  await merge([lovelace]);
  await caller.call("write", "entity/merge", { to_entity_id: last, from_entity_ids: [ada] });
  expect((await read(`entity/id/${last}`)).merged_entity_ids).toEqual([lovelace, ada]);
  for (const id of [lovelace, ada]) expect((await effectiveIdentity(id, caller.storage))?.entity.id).toBe(last);
});

test("with the entity, those that were merged into it are gone too", async () => {
  await merge([lovelace]);
  await caller.call("delete", `entity/id/${ada}`);
  for (const id of [ada, lovelace]) expect(await entityExists(id, caller.storage)).toBe(false);
  expect([...caller.storage.entries.keys()]).toEqual([]);
});

describe("two aliases on one mount", () => {
  let own: string;
  let coming: string;
  beforeEach(async () => {
    own = await makeAlias(caller, ada, "users", "ada");
    coming = await makeAlias(caller, lovelace, "users", "lovelace");
  });

  test("are told, and nothing happens", async () => {
    const before = new Map(caller.storage.entries);
    const side = (alias: string, entity_id: string) => ({
      alias,
      entity: alias,
      entity_id,
      mount: "userpass",
      mount_path: "auth/userpass/",
    });
    const error = await merge([lovelace]).catch((error: unknown) => error);
    expect(error).toMatchObject({ status: 400, data: [side("ada", ada), side("lovelace", lovelace)] });
    expect(String(error)).toContain(
      `conflicting toEntity alias ID: ${own}, conflicting fromEntity alias ID: ${coming}`,
    );
    expect(caller.storage.entries).toEqual(before);
  });

  test.each([
    ["the target's", () => own, "ada"],
    ["the other", () => coming, "lovelace"],
  ])("%s is kept when it is named", async (_which, keep, name) => {
    await merge([lovelace], { conflicting_alias_ids_to_keep: [keep()] });
    expect(await aliasNames()).toEqual([name]);
    const dropped = keep() === own ? coming : own;
    await expect(read(`entity-alias/id/${dropped}`)).rejects.toMatchObject({ status: 404 });
  });

  test("the target's is kept by force", async () => {
    await merge([lovelace], { force: true });
    expect(await aliasNames()).toEqual(["ada"]);
  });

  test("a name of neither does not help", async () => {
    await expect(merge([lovelace], { conflicting_alias_ids_to_keep: [nobody] })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`neither were present in conflicting_alias_ids_to_keep: ${coming}, ${own}`),
    });
  });

  test("two of those who are merged cannot both bring one", async () => {
    const third = await makeEntity(caller, "third");
    await makeAlias(caller, third, "tokens", "third");
    await caller.call("write", `entity-alias/id/${coming}`, { mount_accessor: "tokens" });
    await expect(merge([lovelace, third])).rejects.toThrow("found in multiple fromEntities");
  });
});

describe("refused", () => {
  const cases: [string, () => object, string][] = [
    ["no target", () => ({ to_entity_id: "" }), "missing entity id to merge to"],
    ["no source", () => ({ from_entity_ids: [] }), "missing entity ids to merge from"],
    ["bad target", () => ({ to_entity_id: nobody }), "entity id to merge to is invalid"],
    ["bad source", () => ({ from_entity_ids: [nobody] }), "entity id to merge from is invalid"],
    ["itself", () => ({ from_entity_ids: [lovelace, ada] }), "to_entity_id should not be present in from_entity_ids"],
    [
      "choices for several at once",
      () => ({ from_entity_ids: [lovelace, nobody], conflicting_alias_ids_to_keep: ["a", "b"] }),
      "aliases conflicts cannot be resolved with multiple from entity ids - merge one entity at a time",
    ],
  ];

  test.each(cases)("%s", async (_name, request, message) => {
    await expect(merge([lovelace], request())).rejects.toMatchObject({ status: 400, message });
    expect((await read(`entity/id/${lovelace}`)).name).toBe("lovelace");
  });
});
