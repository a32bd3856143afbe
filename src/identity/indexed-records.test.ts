import { beforeEach, expect, test } from "vitest";
import { MapStorage } from "../../test/support/engine-caller.ts";
import { IndexedRecords } from "./indexed-records.ts";

interface Item {
  readonly id: string;
  readonly names: readonly string[];
}

let storage: MapStorage;
let records: IndexedRecords<Item>;
beforeEach(() => {
  storage = new MapStorage();
  records = new IndexedRecords(
    storage,
    "item/",
    ({ id, names }) => new Map(names.map((name) => [`name/${name}`, { id }])),
  );
});

const item = (id: string, ...names: string[]): Item => ({ id, names });
const save = (before: Item | undefined, after: Item | undefined) => records.save([{ before, after }]);
const index = () =>
  Object.fromEntries(
    [...storage.entries].flatMap(([key, value]) => (key.startsWith("name/") ? [[key, String(value)]] : [])),
  );

test("index entries come, change and go with their record", async () => {
  await save(undefined, item("1", "a", "b"));
  expect(index()).toEqual({ "name/a": '{"id":"1"}', "name/b": '{"id":"1"}' });
  await save(item("1", "a", "b"), item("1", "b", "c"));
  expect(Object.keys(index()).sort()).toEqual(["name/b", "name/c"]);
  expect(await records.get("1")).toEqual(item("1", "b", "c"));
  await save(item("1", "b", "c"), undefined);
  expect(storage.entries.size).toBe(0);
});

test("an entry moves from one record to another", async () => {
  await save(undefined, item("1", "a"));
  await save(undefined, item("2"));
  await records.save([
    { before: item("1", "a"), after: item("1") },
    { before: item("2"), after: item("2", "a") },
  ]);
  expect(index()).toEqual({ "name/a": '{"id":"2"}' });
});

test("an entry of another record is not taken, and nothing is written", async () => {
  await save(undefined, item("1", "a"));
  const before = new Map(storage.entries);
  await expect(save(undefined, item("2", "b", "a"))).rejects.toThrow("name/a is taken");
  expect(storage.entries).toEqual(before);
});

test.each(["", "a/b", "x".repeat(129), "a b"])("what is no id names nothing: %j", async (id) => {
  storage.put(`item/${id}`, Buffer.from('{"id":"x"}'));
  expect(await records.get(id)).toBeUndefined();
});
