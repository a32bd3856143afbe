import { describe, expect, test } from "vitest";
import { callerOf, MapStorage } from "../../../test/support/engine-caller.ts";
import { unversionedKv, versionedKv } from "./engine.ts";

const defaultLeaseSeconds = 2_764_800;

test("a secret is written, read, replaced and deleted", async () => {
  const kv = callerOf(unversionedKv);
  expect(await kv.exists("app/db")).toBe(false);
  expect(await kv.call("write", "app/db", { user: "app", nested: { a: [1, null] } })).toMatchObject({ status: 204 });
  expect(await kv.exists("app/db")).toBe(true);
  const { data, status } = await kv.call("read", "app/db");
  expect({ status, data: JSON.stringify(data) }).toEqual({
    status: 200,
    data: '{"user":"app","nested":{"a":[1,null]}}',
  });
  await kv.call("write", "app/db", { user: "other" });
  expect(JSON.stringify((await kv.call("read", "app/db")).data)).toBe('{"user":"other"}');
  expect(await kv.call("delete", "app/db")).toMatchObject({ status: 204 });
  expect(await kv.call("delete", "app/db")).toMatchObject({ status: 204 });
  await expect(kv.call("read", "app/db")).rejects.toMatchObject({ status: 404, messages: [] });
});

test.each([
  ['{"a":1}', defaultLeaseSeconds],
  ['{"ttl":"1h"}', 3600],
  ['{"ttl":90}', 90],
  ['{"ttl":"90"}', 90],
  ['{"ttl":1.5}', 1],
  ['{"ttl":0}', 0],
  ['{"lease":"30m"}', 1800],
  ['{"ttl":"1h","lease":"30m"}', 3600],
  ['{"ttl":"soon","lease":"30m"}', defaultLeaseSeconds],
  ['{"ttl":null}', defaultLeaseSeconds],
  ['{"ttl":"-5s"}', defaultLeaseSeconds],
  ['{"ttl":["1h"]}', defaultLeaseSeconds],
  ['{"ttl":99999999999}', defaultLeaseSeconds],
  ['{"ttl":1e400}', defaultLeaseSeconds],
])("%s is worth reading again after %d seconds", async (body, seconds) => {
  const kv = callerOf(unversionedKv);
  await kv.call("write", "a", body);
  const { leaseSeconds, data } = await kv.call("read", "a");
  expect(leaseSeconds).toBe(seconds);
  expect(JSON.stringify(data)).toBe(body);
});

describe("refusals", () => {
  test.each([
    ["a", {}, "missing data fields"],
    ["a/", { b: 1 }, "cannot write to a path ending in '/'"],
    ["", { b: 1 }, "unsupported operation"],
  ])("writing to %j", async (path, body, message) => {
    await expect(callerOf(unversionedKv).call("write", path, body)).rejects.toThrow(message);
  });

  test("a secret that has versions", async () => {
    const storage = new MapStorage();
    await callerOf(versionedKv, { storage }).call("write", "data/a", { data: { b: 1 } });
    const read = callerOf(unversionedKv, { storage }).call("read", "a");
    await expect(read).rejects.toMatchObject({ status: 400, message: expect.stringContaining("has versions") });
  });
});

test("names are listed by level, paths are scanned through all of them, both by page", async () => {
  const kv = callerOf(unversionedKv);
  for (const name of ["b", "a/x", "a/y/z", "a"]) await kv.call("write", name, { value: name });
  const keys = async (operation: "list" | "scan", path: string, page = {}) =>
    (await kv.call(operation, path, page)).data.keys;
  expect(await keys("list", "")).toEqual(["a", "a/", "b"]);
  expect(await keys("list", "", { limit: "2" })).toEqual(["a", "a/"]);
  expect(await keys("list", "", { after: "a", limit: "1" })).toEqual(["a/"]);
  expect(await keys("list", "a")).toEqual(["x", "y/"]);
  expect(await keys("list", "nothing")).toEqual([]);
  expect(await keys("scan", "")).toEqual(["a", "a/x", "a/y/z", "b"]);
  expect(await keys("scan", "", { after: "a/x", limit: "max" })).toEqual(["a/y/z", "b"]);
  expect(await keys("scan", "a", { limit: 1 })).toEqual(["x"]);
});
