import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller, MapStorage } from "../../../../test/support/engine-caller.ts";
import { unversionedKv, versionedKv } from "../engine.ts";

class CountingStorage extends MapStorage {
  written: string[] = [];
  fetched = new Set<string>();

  override put(key: string, value: Uint8Array) {
    this.written.push(`put ${key}`);
    super.put(key, value);
  }

  override delete(key: string) {
    this.written.push(`delete ${key}`);
    super.delete(key);
  }

  override async read<T>(key: string, parse: (bytes: Uint8Array) => T) {
    this.fetched.add(key);
    return super.read(key, parse);
  }
}

let storage: CountingStorage;
let kv: EngineCaller;

beforeEach(async () => {
  storage = new CountingStorage();
  kv = callerOf(versionedKv, { storage });
});

describe("a request touches few records", () => {
  beforeEach(async () => {
    for (let n = 1; n <= 10; n++) await kv.call("write", "data/a", { data: { n } });
    storage.written = [];
    storage.fetched.clear();
  });

  test.each<[string, () => Promise<unknown>, string[], string[]]>([
    [
      "write",
      () => kv.call("write", "data/a", { data: {} }),
      ["put secrets/a", "put versions/a/11", "delete versions/a/1"],
      ["secrets/a", "config"],
    ],
    [
      "first write",
      () => kv.call("write", "data/b", { data: {} }),
      ["put secrets/b", "put versions/b/1"],
      ["secrets/b", "config"],
    ],
    ["read", () => kv.call("read", "data/a"), [], ["secrets/a", "versions/a/10"]],
    ["read of metadata", () => kv.call("read", "metadata/a"), [], ["secrets/a"]],
    [
      "write of metadata",
      () => kv.call("write", "metadata/a", { max_versions: 3 }),
      ["put secrets/a"],
      ["secrets/a", "config"],
    ],
    ["delete", () => kv.call("delete", "data/a"), ["put secrets/a"], ["secrets/a"]],
    ["delete of what is not there", () => kv.call("delete", "data/b"), [], ["secrets/b"]],
    [
      "undelete of what is not there",
      () => kv.call("write", "undelete/b", { versions: 1 }),
      [],
      ["config", "secrets/b"],
    ],
    [
      "destroy",
      () => kv.call("write", "destroy/a", { versions: [3] }),
      ["delete versions/a/3", "put secrets/a"],
      ["secrets/a"],
    ],
    ["list", () => kv.call("list", "metadata"), [], []],
  ])("%s", async (_, request, written, fetched) => {
    await request();
    expect(storage.written.toSorted()).toEqual(written.toSorted());
    expect([...storage.fetched].toSorted()).toEqual(fetched.toSorted());
  });

  test("what was done before is not done again", async () => {
    await kv.call("write", "destroy/a", { versions: [3] });
    await kv.call("write", "delete/a", { versions: [5] });
    storage.written = [];
    await kv.call("write", "destroy/a", { versions: [3] });
    await kv.call("write", "delete/a", { versions: [3, 5] });
    expect(storage.written).toEqual([]);
    await kv.call("write", "destroy/a", { versions: [3, 4] });
    expect(storage.written).toEqual(["delete versions/a/4", "put secrets/a"]);
  });

  test("deleting a secret reads none of its data", async () => {
    await kv.call("delete", "metadata/a");
    expect([...storage.fetched]).toEqual(["secrets/a"]);
    expect(storage.entries.size).toBe(0);
  });
});

test("secrets whose paths look like versions of one another stay apart", async () => {
  await kv.call("write", "data/a", { data: { path: "a" } });
  await kv.call("write", "data/a/1", { data: { path: "a/1" } });
  await kv.call("write", "data/a/1/1", { data: { path: "a/1/1" } });
  await kv.call("delete", "metadata/a");
  expect((await kv.call("read", "data/a/1")).data.data).toEqual({ path: "a/1" });
  await kv.call("delete", "metadata/a/1/1");
  expect((await kv.call("read", "data/a/1")).data.data).toEqual({ path: "a/1" });
});

describe("what was written before the mount had versions", () => {
  beforeEach(async () => {
    const before = callerOf(unversionedKv, { storage });
    await before.call("write", "a", '{"n":9007199254740993}');
    await before.call("write", "folder/b", { n: 2 });
    storage.written = [];
  });

  const stored = () => [...storage.entries.keys()].toSorted();

  test("is version 1, at once", async () => {
    const { data } = await kv.call("read", "data/a");
    expect(JSON.stringify(data)).toBe(
      '{"data":{"n":9007199254740993},"metadata":{"version":1,"created_time":"1970-01-01T00:00:00.000Z",' +
        '"deletion_time":"","destroyed":false,"custom_metadata":null}}',
    );
    expect((await kv.call("read", "metadata/a")).data).toMatchObject({ current_version: 1, oldest_version: 0 });
    expect((await kv.call("scan", "metadata")).data.keys).toEqual(["a", "folder/b"]);
    expect(await kv.exists("data/a")).toBe(true);
    expect(storage.written).toEqual([]);
  });

  test("stays version 1 when there is a second", async () => {
    expect((await kv.call("write", "data/a", { data: { n: 2 }, options: { cas: 1 } })).data.version).toBe(2);
    const { data } = await kv.call("read", "data/a", { version: 1 });
    expect(JSON.stringify(data.data)).toBe('{"n":9007199254740993}');
    expect(stored()).toEqual(["secrets/a", "secrets/folder/b", "versions/a/1", "versions/a/2"]);
  });

  test("can be patched, noted on, deleted and brought back", async () => {
    await kv.call("patch", "data/a", { data: { m: 1 } });
    expect(JSON.stringify((await kv.call("read", "data/a")).data.data)).toBe('{"n":9007199254740993,"m":1}');
    await kv.call("write", "metadata/folder/b", { custom_metadata: { owner: "a" } });
    await kv.call("delete", "data/folder/b");
    expect((await kv.call("read", "data/folder/b")).status).toBe(404);
    await kv.call("write", "undelete/folder/b", { versions: [1] });
    expect((await kv.call("read", "data/folder/b")).data.data).toEqual({ n: 2 });
  });

  test("can be destroyed, dropped as the oldest, or removed with everything", async () => {
    await kv.call("write", "destroy/a", { versions: [1] });
    expect(stored()).toEqual(["secrets/a", "secrets/folder/b"]);
    expect(Buffer.from(storage.entries.get("secrets/a")!).toString()).not.toContain("9007199254740993");
    await kv.call("write", "config", { max_versions: 1 });
    await kv.call("write", "data/folder/b", { data: {} });
    expect(stored()).toEqual(["config", "secrets/a", "secrets/folder/b", "versions/folder/b/2"]);
    await kv.call("delete", "metadata/folder/b");
    await kv.call("delete", "metadata/a");
    expect(stored()).toEqual(["config"]);
  });
});
