import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { effectiveIdentity, entityExists } from "./effective.ts";
import { identityCaller, makeAlias, makeEntity, makeGroup, nobody } from "./identity-fixture.suite.ts";

let caller: EngineCaller;
beforeEach(() => {
  caller = identityCaller();
});

const effective = (id: string) => effectiveIdentity(id, caller.storage);

test("policies of the entity, its groups, and the groups that those are in", async () => {
  const ada = await makeEntity(caller, "ada", { policies: ["own", "shared"] });
  const team = await makeGroup(caller, "team", { policies: ["team", "shared"], member_entity_ids: [ada] });
  const company = await makeGroup(caller, "company", { policies: ["company"], member_group_ids: [team] });
  await makeGroup(caller, "world", { policies: ["world"], member_group_ids: [company] });
  await makeGroup(caller, "others", { policies: ["others"] });
  expect((await effective(ada))?.policies).toEqual(["company", "own", "shared", "team", "world"]);
});

test("a change of a group counts at once", async () => {
  const ada = await makeEntity(caller, "ada");
  const team = await makeGroup(caller, "team", { policies: ["a"], member_entity_ids: [ada] });
  expect((await effective(ada))?.policies).toEqual(["a"]);
  await caller.call("write", `group/id/${team}`, { policies: ["b"] });
  expect((await effective(ada))?.policies).toEqual(["b"]);
  await caller.call("delete", `group/id/${team}`);
  expect((await effective(ada))?.policies).toEqual([]);
});

test("root does not come in, even if it were stored", async () => {
  const ada = await makeEntity(caller, "ada", { policies: ["harmless"] });
  const record = JSON.parse(Buffer.from(caller.storage.entries.get(`entity/${ada}`)!).toString());
  caller.storage.put(`entity/${ada}`, Buffer.from(JSON.stringify({ ...record, policies: ["root", "harmless"] })));
  expect((await effective(ada))?.policies).toEqual(["harmless"]);
});

describe("whether there is such an entity", () => {
  test("one that is there", async () => {
    const ada = await makeEntity(caller, "ada", { disabled: true });
    expect(await entityExists(ada, caller.storage)).toBe(true);
    expect((await effective(ada))?.entity).toMatchObject({ id: ada, name: "ada", disabled: true });
  });

  test.each([nobody, "", "a/b", "../entity", "x".repeat(3000)])("none: %s", async (id) => {
    expect(await entityExists(id, caller.storage)).toBe(false);
    expect(await effective(id)).toBeUndefined();
  });
});

test("templates see the entity, its aliases by mount, and its groups by id and name", async () => {
  const ada = await makeEntity(caller, "ada", { metadata: { team: "web" } });
  const alias = await makeAlias(caller, ada, "users", "ada");
  await caller.call("write", `entity-alias/id/${alias}`, { custom_metadata: { a: "1" } });
  const team = await makeGroup(caller, "team", { metadata: { k: "v" }, member_entity_ids: [ada] });
  const now = new Date(caller.now);
  const view = (await effective(ada))!.view(now);
  expect(view).toMatchObject({
    entity: {
      id: ada,
      name: "ada",
      metadata: { team: "web" },
      aliases: { users: { id: alias, name: "ada", metadata: {}, custom_metadata: { a: "1" } } },
    },
    groups: {
      ids: { [team]: { id: team, name: "team", metadata: { k: "v" } } },
      names: { team: { id: team, name: "team" } },
    },
    now,
  });
});
