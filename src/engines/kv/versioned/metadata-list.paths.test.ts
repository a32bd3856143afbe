import { beforeEach, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../../test/support/engine-caller.ts";
import { versionedKv } from "../engine.ts";

let kv: EngineCaller;

beforeEach(async () => {
  kv = callerOf(versionedKv);
  for (const name of ["b", "a/x", "a/y/z", "a", "__proto__"])
    await kv.call("write", `data/${name}`, { data: { name } });
  await kv.call("write", "metadata/c", { max_versions: 1 });
  await kv.call("delete", "data/b");
});

const keys = async (operation: "list" | "scan", path: string, page = {}) =>
  (await kv.call(operation, path, page)).data.keys;

test.each([
  ["metadata", {}, ["__proto__", "a", "a/", "b", "c"]],
  ["metadata", { limit: "2" }, ["__proto__", "a"]],
  ["metadata", { after: "a", limit: 2 }, ["a/", "b"]],
  ["metadata", { after: "c" }, []],
  ["metadata", { limit: "max" }, ["__proto__", "a", "a/", "b", "c"]],
  ["metadata/a", {}, ["x", "y/"]],
  ["metadata/a/y", {}, ["z"]],
  ["metadata/nothing", {}, []],
])("list %s %j", async (path, page, names) => {
  expect(await keys("list", path, page)).toEqual(names);
  expect(await keys("list", `detailed-${path}`, page)).toEqual(names);
});

test.each([
  ["metadata", {}, ["__proto__", "a", "a/x", "a/y/z", "b", "c"]],
  ["metadata", { limit: 3 }, ["__proto__", "a", "a/x"]],
  ["metadata", { after: "a/x", limit: 2 }, ["a/y/z", "b"]],
  ["metadata/a", {}, ["x", "y/z"]],
  ["metadata/nothing", {}, []],
])("scan %s %j", async (path, page, names) => {
  expect(await keys("scan", path, page)).toEqual(names);
  expect(await keys("scan", `detailed-${path}`, page)).toEqual(names);
});

test("a detailed list says of each name what its metadata says, and nothing of a folder", async () => {
  const { data } = await kv.call("list", "detailed-metadata");
  expect(Object.keys(data)).toEqual(["keys", "key_info"]);
  expect(Object.keys(data.key_info)).toEqual(data.keys);
  for (const name of ["__proto__", "a", "b", "c"]) {
    expect(data.key_info[name]).toEqual((await kv.call("read", `metadata/${name}`)).data);
  }
  expect(data.key_info["a/"]).toEqual({});
});

test("so does a detailed scan, below a path", async () => {
  const { data } = await kv.call("scan", "detailed-metadata/a");
  expect(data.key_info["y/z"]).toEqual((await kv.call("read", "metadata/a/y/z")).data);
});

test("more names than are read at once", async () => {
  for (let n = 0; n < 100; n++) await kv.call("write", `data/many/${n}`, { data: { n } });
  const { data } = await kv.call("list", "detailed-metadata/many");
  expect(Object.keys(data.key_info).length).toBe(100);
  for (const name of data.keys) expect(data.key_info[name].current_version).toBe(1);
});
