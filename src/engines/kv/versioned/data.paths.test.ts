import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../../test/support/engine-caller.ts";
import { versionedKv } from "../engine.ts";

let kv: EngineCaller;

beforeEach(() => {
  kv = callerOf(versionedKv);
});

const midnight = "2030-01-01T00:00:00.000Z";
const written = (version: number) => ({
  version,
  created_time: midnight,
  deletion_time: "",
  destroyed: false,
  custom_metadata: null,
});

const put = (data: object, options?: object) => kv.call("write", "data/a", options ? { data, options } : { data });

describe("writing", () => {
  test("answers what the new version is, in the order that people know", async () => {
    const { data, status } = await put({ b: 1 });
    expect(status).toBe(200);
    expect(JSON.stringify(data)).toBe(JSON.stringify(written(1)));
    expect((await put({ b: 2 })).data).toEqual(written(2));
  });

  test("an empty object is data too", async () => {
    await put({});
    expect((await kv.call("read", "data/a")).data.data).toEqual({});
  });

  test.each([
    ["data/a", "{}", "no data provided"],
    ["data/a", '{"data":null}', "no data provided"],
    ["data/a", '{"b":1}', "no data provided"],
    ["data/a", '{"data":"text"}', 'for field "data": expected an object'],
    ["data/a", '{"data":[1]}', 'for field "data": expected an object'],
    ["data/a", '{"data":9007199254740993}', 'for field "data": expected an object'],
    ["data/a", '{"data":{},"options":"cas"}', 'for field "options": expected an object'],
    ["data/a", '{"data":{},"options":{"cas":"x"}}', 'for field "options.cas": expected an integer'],
    ["data/a/", '{"data":{}}', "cannot write to a path ending in '/'"],
    ["data/", '{"data":{}}', "cannot write to a path ending in '/'"],
  ])("%s refuses %s", async (path, body, message) => {
    await expect(kv.call("write", path, body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
    expect(kv.storage.entries.size).toBe(0);
  });

  test("knows create from update by the secret, not by its versions", async () => {
    expect(await kv.exists("data/a")).toBe(false);
    expect(await kv.exists("metadata/a")).toBe(false);
    await put({ b: 1 });
    await kv.call("delete", "data/a");
    expect(await kv.exists("data/a")).toBe(true);
    expect(await kv.exists("metadata/a")).toBe(true);
    await kv.call("delete", "metadata/a");
    expect(await kv.exists("data/a")).toBe(false);
  });
});

describe("check-and-set", () => {
  const mismatch = "check-and-set parameter did not match the current version";
  const required = "check-and-set parameter required for this call";

  test.each([
    { versions: 0, options: { cas: 0 }, error: undefined },
    { versions: 0, options: { cas: "0" }, error: undefined },
    { versions: 0, options: { cas: 1 }, error: mismatch },
    { versions: 1, options: { cas: 0 }, error: mismatch },
    { versions: 1, options: { cas: 1 }, error: undefined },
    { versions: 1, options: { cas: "1" }, error: undefined },
    { versions: 2, options: { cas: 1 }, error: mismatch },
    { versions: 1, options: { cas: -1 }, error: mismatch },
    { versions: 1, options: {}, error: undefined },
    { versions: 1, options: { cas: null }, error: undefined },
  ])("$options when there are $versions versions: $error", async ({ versions, options, error }) => {
    for (let version = 0; version < versions; version++) await put({ version });
    const attempt = put({ new: true }, options);
    if (error === undefined) expect((await attempt).data.version).toBe(versions + 1);
    else await expect(attempt).rejects.toMatchObject({ status: 400, messages: [error] });
  });

  test.each([
    ["mount", "config"],
    ["secret", "metadata/a"],
  ])("can be required by the %s", async (_, path) => {
    await kv.call("write", path, { cas_required: true });
    await expect(put({ b: 1 })).rejects.toMatchObject({ status: 400, messages: [required] });
    await expect(put({ b: 1 }, { cas: null })).rejects.toThrow(required);
    await put({ b: 1 }, { cas: 0 });
    await expect(kv.call("patch", "data/a", { data: { c: 1 } })).rejects.toThrow(required);
    expect((await kv.call("patch", "data/a", { data: { c: 1 }, options: { cas: 1 } })).data.version).toBe(2);
  });

  test("a deleted version still counts", async () => {
    await put({ b: 1 });
    await kv.call("delete", "data/a");
    await expect(put({ b: 2 }, { cas: 0 })).rejects.toThrow(mismatch);
    expect((await put({ b: 2 }, { cas: 1 })).data.version).toBe(2);
  });

  test("settings without a version do not", async () => {
    await kv.call("write", "metadata/a", { max_versions: 3 });
    expect((await put({ b: 1 }, { cas: 0 })).data.version).toBe(1);
  });
});

describe("reading", () => {
  test("the current version, or the one asked for", async () => {
    await put({ n: 1 });
    await put({ n: 2 });
    const { data, status } = await kv.call("read", "data/a");
    expect(status).toBe(200);
    expect(JSON.stringify(data)).toBe(JSON.stringify({ data: { n: 2 }, metadata: written(2) }));
    expect((await kv.call("read", "data/a", { version: "1" })).data).toEqual({ data: { n: 1 }, metadata: written(1) });
    expect((await kv.call("read", "data/a", { version: "0" })).data.metadata.version).toBe(2);
  });

  test.each([
    ["a secret never written", "data/other", {}],
    ["a version never written", "data/a", { version: 7 }],
    ["settings without a version", "data/settings", {}],
    ["a path with a trailing slash", "data/a/", {}],
    ["no path at all", "data/", {}],
  ])("%s is plainly absent", async (_, path, body) => {
    await put({ n: 1 });
    await kv.call("write", "metadata/settings", { max_versions: 1 });
    await expect(kv.call("read", path, body)).rejects.toMatchObject({ status: 404, messages: [], data: undefined });
  });

  test("a negative version is a mistake", async () => {
    await put({ n: 1 });
    await expect(kv.call("read", "data/a", { version: -1 })).rejects.toMatchObject({ status: 400 });
  });

  test("a deleted version is not found, and says when it was deleted", async () => {
    await put({ n: 1 });
    kv.now += 1500;
    await kv.call("delete", "data/a");
    const { status, data } = await kv.call("read", "data/a");
    expect(status).toBe(404);
    expect(data).toEqual({ data: null, metadata: { ...written(1), deletion_time: "2030-01-01T00:00:01.500Z" } });
  });

  test("a destroyed version is not found, and says so", async () => {
    await put({ n: 1 });
    await kv.call("write", "destroy/a", { versions: [1] });
    const { status, data } = await kv.call("read", "data/a");
    expect(status).toBe(404);
    expect(data).toEqual({ data: null, metadata: { ...written(1), destroyed: true } });
  });

  test("shows the notes on the secret", async () => {
    await kv.call("write", "metadata/a", { custom_metadata: { owner: "payments" } });
    expect((await put({ n: 1 })).data.custom_metadata).toEqual({ owner: "payments" });
    expect((await kv.call("read", "data/a")).data.metadata.custom_metadata).toEqual({ owner: "payments" });
  });
});

describe("patching", () => {
  test("makes a new version out of the current one", async () => {
    await put({ keep: 1, drop: 2, nested: { a: 1, b: 2 } });
    const patch = { data: { drop: null, add: "x", nested: { b: null, c: [null] } } };
    expect((await kv.call("patch", "data/a", patch)).data).toEqual(written(2));
    expect((await kv.call("read", "data/a")).data.data).toEqual({ keep: 1, nested: { a: 1, c: [null] }, add: "x" });
    expect((await kv.call("read", "data/a", { version: 1 })).data.data.drop).toBe(2);
  });

  test.each<[string, (() => Promise<unknown>)[]]>([
    ["never written", []],
    ["that has settings only", [() => kv.call("write", "metadata/a", { max_versions: 1 })]],
    ["that is deleted", [() => put({ n: 1 }), () => kv.call("delete", "data/a")]],
    ["that is destroyed", [() => put({ n: 1 }), () => kv.call("write", "destroy/a", { versions: 1 })]],
  ])("a secret %s is an empty 404", async (_, steps) => {
    for (const step of steps) await step();
    const { status, data } = await kv.call("patch", "data/a", { data: { b: 1 } });
    expect({ status, data }).toEqual({ status: 404, data: undefined });
  });

  test("honors check-and-set, and needs data", async () => {
    await put({ n: 1 });
    await expect(kv.call("patch", "data/a", { data: {}, options: { cas: 2 } })).rejects.toThrow("did not match");
    await expect(kv.call("patch", "data/a", {})).rejects.toThrow("no data provided");
    await expect(kv.call("patch", "data/a/", { data: {} })).rejects.toMatchObject({ status: 400 });
  });
});

describe("deleting the current version", () => {
  test("says nothing, whether there was one or not", async () => {
    expect(await kv.call("delete", "data/a")).toMatchObject({ status: 204 });
    await put({ n: 1 });
    expect(await kv.call("delete", "data/a")).toMatchObject({ status: 204 });
    kv.now += 1000;
    await kv.call("delete", "data/a");
    expect((await kv.call("read", "data/a")).data.metadata.deletion_time).toBe(midnight);
  });

  test("leaves older versions readable", async () => {
    await put({ n: 1 });
    await put({ n: 2 });
    await kv.call("delete", "data/a");
    expect((await kv.call("read", "data/a", { version: 1 })).data.data).toEqual({ n: 1 });
  });

  test("counts at once for a process whose clock is behind", async () => {
    await put({ n: 1 });
    await kv.call("delete", "data/a");
    kv.now -= 60_000;
    expect((await kv.call("read", "data/a")).status).toBe(404);
  });
});
