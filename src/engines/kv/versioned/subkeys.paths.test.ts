import { beforeEach, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../../test/support/engine-caller.ts";
import { versionedKv } from "../engine.ts";

let kv: EngineCaller;

beforeEach(async () => {
  kv = callerOf(versionedKv);
  await kv.call("write", "data/a", { data: { old: "secret" } });
  await kv.call("write", "data/a", {
    data: { text: "secret", list: [{ a: "secret" }], empty: {}, nested: { deep: { deeper: "secret" }, leaf: 1 } },
  });
});

const all = { text: null, list: null, empty: null, nested: { deep: { deeper: null }, leaf: null } };

test.each([
  [{}, all],
  [{ depth: 0 }, all],
  [{ depth: "1" }, { text: null, list: null, empty: null, nested: null }],
  [{ depth: 2 }, { text: null, list: null, empty: null, nested: { deep: null, leaf: null } }],
  [{ depth: 3 }, all],
  [{ depth: 99 }, all],
  [{ version: 1 }, { old: null }],
])("with %j", async (body, subkeys) => {
  const { data, status } = await kv.call("read", "subkeys/a", body);
  expect(status).toBe(200);
  expect(Object.keys(data)).toEqual(["subkeys", "metadata"]);
  expect(data.subkeys).toEqual(subkeys);
  expect(data.metadata).toEqual((await kv.call("read", "data/a", body)).data.metadata);
});

test.each(["delete", "destroy"])("none of a version after %s", async (verb) => {
  await kv.call("write", `${verb}/a`, { versions: [2] });
  const { data, status } = await kv.call("read", "subkeys/a");
  expect(status).toBe(404);
  expect(data.subkeys).toBeNull();
  expect(data.metadata.version).toBe(2);
});

test("what is not there is absent, and a negative depth is a mistake", async () => {
  await expect(kv.call("read", "subkeys/other")).rejects.toMatchObject({ status: 404, messages: [] });
  await expect(kv.call("read", "subkeys/a", { version: 3 })).rejects.toMatchObject({ status: 404, messages: [] });
  await expect(kv.call("read", "subkeys/a", { depth: -1 })).rejects.toMatchObject({ status: 400 });
});
