import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LmdbStore } from "./lmdb.ts";
import { remoteFileSystem } from "./lmdb-folder.ts";
import { testStore } from "./store.suite.ts";
import { batch, text } from "./store-case.suite.ts";

testStore({
  name: "LMDB",
  async prepare() {
    const path = await mkdtemp(join(tmpdir(), "strongroom-lmdb-"));
    return {
      isShared: true,
      open: (options) => LmdbStore.open(path, options),
      destroy: () => rm(path, { recursive: true }),
    };
  },
});

describe("an LMDB folder", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "strongroom-lmdb-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is made with all folders above it, and is for its owner only", async () => {
    const path = join(folder, "deep", "down", "data.d");
    const store = await LmdbStore.open(path);
    await store.commit(batch({ puts: { a: "1" } }));
    await store.close();
    const modes = await Promise.all(
      ["", "data.mdb", "lock.mdb"].map(async (name) => (await stat(join(path, name))).mode),
    );
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  });

  it("is closed to others when it was open to them", async () => {
    const path = join(folder, "open");
    await mkdir(path);
    await chmod(path, 0o755);
    await (await LmdbStore.open(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it("is refused when it is a file", async () => {
    const path = join(folder, "file");
    await writeFile(path, "");
    await expect(LmdbStore.open(path)).rejects.toThrow(`the data folder ${path} cannot be used: it is a file`);
    await expect(LmdbStore.open(join(path, "below"))).rejects.toThrow("it is a file, or lies in one");
  });

  it("is refused when it is somebody else's", async ({ skip }) => {
    skip(process.getuid?.() === 0, "root may enter every folder");
    await expect(LmdbStore.open("/root/strongroom")).rejects.toThrow("this user is not allowed to");
  });

  const empty = async (name: string) => {
    const path = join(folder, name);
    await (await LmdbStore.open(path)).close();
    return readFile(join(path, "data.mdb"));
  };
  it.each([
    ["is something else", async () => Buffer.alloc(8192, "no database"), "it is not an LMDB file"],
    ["is too short", async () => Buffer.from("x"), "it is not an LMDB file"],
    ["is all zeros", async () => Buffer.alloc(8192), "it is not an LMDB file"],
    [
      "is of another LMDB",
      async (name: string) => (await empty(name)).fill(1, 28, 29),
      "it was written by another kind of LMDB (format 1",
    ],
    ["is half overwritten", async (name: string) => (await empty(name)).fill(0, 4096, 8192), "it is damaged"],
    ["is cut off", async (name: string) => (await empty(name)).subarray(0, 9000), "its end is missing"],
  ])("is refused when its file %s", async (what, content, complaint) => {
    const path = join(folder, what);
    await mkdir(path);
    await writeFile(join(path, "data.mdb"), await content(`${what}, before`));
    await expect(LmdbStore.open(path)).rejects.toThrow(`the file ${path}/data.mdb cannot be used: ${complaint}`);
  });

  it("is refused when there is a folder in place of its file", async () => {
    await mkdir(join(folder, "nested", "data.mdb"), { recursive: true });
    await expect(LmdbStore.open(join(folder, "nested"))).rejects.toThrow("there is a folder in place of its file");
  });

  it.each([
    ["of a later version", "meta", Buffer.from("format"), Buffer.from("2"), '"2"'],
    ["of somebody else", "entries", Buffer.from("key"), Buffer.from("value"), '"unknown"'],
  ])("is refused when it holds data %s, and is left as it is", async (what, name, key, value, format) => {
    const path = join(folder, what);
    await mkdir(path);
    const other = open(path, { overlappingSync: false });
    const database = other.openDB<Buffer, Buffer>({ name, encoding: "binary", keyEncoding: "binary" });
    await database.put(key, value);
    await other.close();
    await expect(LmdbStore.open(path)).rejects.toThrow(`has the format ${format}, and this version of Strongroom`);
    await expect(LmdbStore.open(path)).rejects.toThrow(`has the format ${format}`);
  });

  it.each([
    ["ext4", 0xef53, undefined],
    ["btrfs", 0x9123683e, undefined],
    ["tmpfs", 0x01021994, undefined],
    ["NFS", 0x6969, "NFS"],
    ["CIFS", 0xff534d42, "CIFS"],
    ["CIFS, as a signed number", 0xff534d42 | 0, "CIFS"],
    ["FUSE", 0x65735546, "FUSE"],
  ])("knows %s for what it is", (_, type, expected) => {
    expect(remoteFileSystem(type)).toBe(expected);
  });

  it("outgrows the address space that it began with", async () => {
    const store = await LmdbStore.open(join(folder, "growing"), { mapSize: 256 * 1024 });
    const value = "x".repeat(100_000);
    for (let index = 0; index < 60; index++) await store.commit(batch({ puts: { [`big/${index}`]: value } }));
    expect(await store.list("big/")).toHaveLength(60);
    expect(await text(store, "big/0")).toBe(value);
    await store.close();
  });

  it("keeps its commits when another process turns back the number of the latest one", async () => {
    const path = join(folder, "turned back");
    const store = await LmdbStore.open(path);
    for (const key of ["a", "b", "c"]) await store.commit(batch({ puts: { [key]: "x" } }));
    const { at } = await store.changes(undefined);
    const lock = openSync(join(path, "lock.mdb"), "r+");
    const number = Buffer.alloc(8);
    const turnBack = () => {
      readSync(lock, number, 0, 8, 8);
      number.writeBigUInt64LE(number.readBigUInt64LE() - 1n);
      writeSync(lock, number, 0, 8, 8);
    };
    turnBack();
    expect(await store.list("")).not.toEqual(["a", "b", "c"]);
    expect(await store.changes(at)).toEqual({ at, keys: [] });
    expect(await store.list("")).toEqual(["a", "b", "c"]);
    turnBack();
    await store.commit(batch({ puts: { d: "x" } }));
    expect(await store.list("")).toEqual(["a", "b", "c", "d"]);
    expect((await store.changes(at)).keys).toEqual(["d"]);
    await store.close();
    closeSync(lock);
  });

  it("does not wait for ever for a process that died while it opened the folder", async () => {
    const path = join(folder, "died");
    const store = await LmdbStore.open(path);
    await writeFile(join(path, "opening-died"), "");
    await store.commit(batch({ puts: { a: "1" } }));
    expect((await readdir(path)).sort()).toEqual(["data.mdb", "lock.mdb"]);
    await store.close();
  });

  it("keeps its log short", async () => {
    const path = join(folder, "log");
    const store = await LmdbStore.open(path, { history: 64 });
    const points: string[] = [];
    for (let round = 0; round < 50; round++) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.commit(batch({ puts: { [`k${index}`]: "x" } }))),
      );
      points.push((await store.changes(undefined)).at);
    }
    const commitsAgo = async (commits: number) => (await store.changes(points.at(-1 - commits / 20))).keys?.length;
    expect([await commitsAgo(60), await commitsAgo(100), await commitsAgo(900)]).toEqual([20, undefined, undefined]);
    await store.close();
    const raw = open(path, { overlappingSync: false });
    const log = raw.openDB<Buffer, Buffer>({ name: "log", encoding: "binary", keyEncoding: "binary" });
    expect(log.getKeysCount({ start: Buffer.of(0) })).toBeGreaterThanOrEqual(64);
    expect(log.getKeysCount({ start: Buffer.of(0) })).toBeLessThan(80);
    await raw.close();
  });
});
