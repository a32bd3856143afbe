import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { Storage } from "../../src/api/engine.ts";
import type { IdentityView } from "../../src/core/policies/templating.ts";
import { MemoryStore } from "../../src/core/storage/memory.ts";
import { StorageView } from "../../src/core/storage/view.ts";
import { type EffectiveIdentity, effectiveIdentity } from "../../src/identity/effective.ts";
import { identity } from "../../src/identity/engine.ts";
import { hostOf } from "../../src/identity/identity-fixture.suite.ts";
import { brokenInvariants, storedRecords } from "../../src/identity/invariants.suite.ts";
import type { Login } from "../../src/identity/login.ts";
import type { IdentityServices } from "../../src/identity/services.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

/** Identity on a real store, with two processes that write at the same time. */

const now = new Date(Date.UTC(2030, 0, 1));

let processes: [KernelCaller, KernelCaller];
beforeEach(async () => {
  const store = new MemoryStore();
  const first = await new KernelCaller([], store).initialize();
  const second = new KernelCaller([], store);
  await second.call("write", "sys/unseal", { key: first.keys[0] }, "");
  processes = [first, second];
});

let turn = 0;

/** One transaction, in one process and then in the other. */
const transaction = <T>(work: (storage: Storage) => Promise<T>): Promise<T> =>
  processes[turn++ % 2]!.kernel.records.transaction((whole) => work(new StorageView(whole, "logical/identity/")));

const change = <T>(work: (services: IdentityServices) => Promise<T>): Promise<T> =>
  transaction((storage) => work(identity.services(storage, hostOf())));

const login = (aliasName: string, request: Partial<Login> = {}) =>
  transaction((storage) =>
    identity.loginAlias({ mountAccessor: "users", aliasName, metadata: {}, ...request }, storage, hostOf(), now),
  );

const many = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => work(index)));

const succeeded = <T>(outcomes: PromiseSettledResult<T>[]): T[] =>
  outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));

async function expectSound(): Promise<Map<string, unknown>> {
  const records = await transaction((storage) => storedRecords(storage));
  expect(brokenInvariants(records)).toEqual([]);
  return records;
}

const countOf = (records: ReadonlyMap<string, unknown>, prefix: string) =>
  [...records.keys()].filter((key) => key.startsWith(prefix)).length;

const makeGroup = async (name: string, type = "internal") =>
  (await change(({ groupChanges }) => groupChanges.writeByName({ name, type }, now)))!.id;

test("what policies see of an identity is what templates ask for", () => {
  expectTypeOf<ReturnType<EffectiveIdentity["view"]>>().toExtend<IdentityView>();
});

test("50 first logins of one alias at once give one entity", async () => {
  const outcomes = succeeded(await many(50, () => login("ada", { metadata: { role: "web" } })));
  expect(outcomes).toHaveLength(50);
  expect(new Set(outcomes.map(({ entityId }) => entityId)).size).toBe(1);
  expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
  expect(countOf(await expectSound(), "entity/")).toBe(1);
});

test("50 entities of one name at once are one entity", async () => {
  const made = succeeded(
    await many(50, () => change(({ entityChanges }) => entityChanges.write({ name: "ada" }, now))),
  );
  expect(made).toHaveLength(50);
  expect(made.filter((entity) => entity !== undefined)).toHaveLength(1);
  expect(countOf(await expectSound(), "entity/")).toBe(1);
});

test("an alias that many want belongs to one of them", async () => {
  const outcomes = await many(20, (index) =>
    change(async ({ entityChanges, entityAliases }) => {
      const entity = (await entityChanges.write({ name: `person ${index}` }, now))!;
      const alias = { id: "", name: "ada", mount_accessor: "users", canonical_id: entity.id, custom_metadata: {} };
      return entityAliases.write(alias, now);
    }),
  );
  expect(new Set(succeeded(outcomes).map((saved) => saved!.id)).size).toBe(1);
  expect(countOf(await expectSound(), "alias/")).toBe(1);
});

test("many join a group at once, and all of them are in it", async () => {
  const request = { id: "", name: "dev", mount_accessor: "users", canonical_id: "" };
  const { canonical_id: group } = (await change(({ groupAliases }) => groupAliases.write(request, now)))!;
  await many(40, (index) => login(`person ${index}`, { groupAliases: ["dev"] }));
  expect(countOf(await expectSound(), `member/${group}/`)).toBe(40);
});

test("nobody stays in a group that is deleted while they join and leave", async () => {
  for (let round = 0; round < 8; round++) {
    const group = await makeGroup(`round ${round}`, "external");
    const request = { id: "", name: "dev", mount_accessor: "users", canonical_id: group };
    await change(({ groupAliases }) => groupAliases.write(request, now));
    const joining = many(12, (index) => login(`person ${index % 6}`, { groupAliases: index % 3 === 0 ? [] : ["dev"] }));
    const deleting = change(async ({ groups, groupChanges }) => groupChanges.delete((await groups.get(group))!));
    await Promise.all([joining, deleting]);
    expect(countOf(await expectSound(), "member")).toBe(0);
  }
});

test("who joins after the members were listed makes the deletion list them again", async () => {
  const request = { id: "", name: "dev", mount_accessor: "users", canonical_id: "" };
  const { canonical_id: id } = (await change(({ groupAliases }) => groupAliases.write(request, now)))!;
  let attempts = 0;
  await change(async ({ groups, groupChanges }) => {
    const group = await groups.get(id);
    if (group) await groupChanges.delete(group);
    if (attempts++ === 0) await login("late", { groupAliases: ["dev"] });
  });
  expect(attempts).toBe(2);
  expect(countOf(await expectSound(), "member")).toBe(0);
});

describe("groups cannot come to be below themselves", () => {
  const put = (child: string, parent: string) =>
    change(({ groupChanges }) => groupChanges.writeById(parent, { member_group_ids: [child] }, now));

  test("when each is put into the next at once", async () => {
    for (const size of [2, 3, 4]) {
      const ring = await Promise.all(Array.from({ length: size }, (_, index) => makeGroup(`${size} ${index}`)));
      const outcomes = await many(size, (index) => put(ring[index]!, ring[(index + 1) % size]!));
      expect(succeeded(outcomes)).toHaveLength(size - 1);
      await expectSound();
    }
  });
});

test("merges, moves, deletions and logins at once leave every invariant whole", async () => {
  const people = ["a", "b", "c", "d"];
  const teams = await Promise.all(["x", "y"].map((name) => makeGroup(name)));
  for (let round = 0; round < 12; round++) {
    for (const name of people) await change(({ entityChanges }) => entityChanges.write({ name }, now));
    await many(4, (index) => login(people[index]!));
    const records = await transaction((storage) => storedRecords(storage));
    const ids = [...records.keys()].flatMap((key) => (key.startsWith("entity/") ? [key.slice(7)] : []));
    const aliases = [...records.keys()].flatMap((key) => (key.startsWith("alias/") ? [key.slice(6)] : []));
    const at = <T>(items: readonly T[], index: number) => items[(round * 7 + index) % items.length]!;
    await many(24, (index) =>
      change(async (services) => {
        const [one, other] = [at(ids, index), at(ids, index * 5 + 1)];
        if (index % 4 === 0) {
          const request = {
            to_entity_id: one,
            from_entity_ids: [other],
            conflicting_alias_ids_to_keep: [],
            force: true,
          };
          return services.entityMerge.run(request, now);
        }
        if (index % 4 === 1) {
          const move = { name: "", mount_accessor: "", canonical_id: one, custom_metadata: undefined };
          return services.entityAliases.write({ ...move, id: at(aliases, index) }, now);
        }
        if (index % 4 === 2)
          return services.groupChanges.writeById(at(teams, index), { member_entity_ids: [one, other] }, now);
        return index % 8 === 3 ? services.entityChanges.delete([one]) : undefined;
      }),
    );
    await expectSound();
  }
});

test("what an entity brings is read from the cache, and is new when something changed", async () => {
  const { entityId } = await login("ada");
  const group = await makeGroup("web");
  const settings = { policies: ["web"], member_entity_ids: [entityId] };
  await change(({ groupChanges }) => groupChanges.writeById(group, settings, now));
  const ask = () =>
    processes[0].kernel.records.transaction((whole) =>
      effectiveIdentity(entityId, new StorageView(whole, "logical/identity/")),
    );
  const first = await ask();
  expect(first?.policies).toEqual(["web"]);
  expect(await ask()).toBe(first);
  await change(({ groupChanges }) => groupChanges.writeById(group, { policies: ["ops"] }, now));
  expect((await ask())?.policies).toEqual(["ops"]);
});
