import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../../test/support/engine-caller.ts";
import { versionedKv } from "../engine.ts";

let kv: EngineCaller;

beforeEach(() => {
  kv = callerOf(versionedKv);
});

const midnight = "2030-01-01T00:00:00.000Z";
const put = (data: object = { n: 1 }) => kv.call("write", "data/a", { data });
const write = (body: object) => kv.call("write", "metadata/a", body);
const patch = (body: object) => kv.call("patch", "metadata/a", body);
const metadata = async () => (await kv.call("read", "metadata/a")).data;

test("reading shows settings and versions, in the order that people know", async () => {
  await put();
  kv.now += 1000;
  await put();
  await kv.call("delete", "data/a");
  const second = "2030-01-01T00:00:01.000Z";
  expect(JSON.stringify(await metadata())).toBe(
    JSON.stringify({
      current_version: 2,
      oldest_version: 0,
      created_time: midnight,
      updated_time: second,
      max_versions: 0,
      cas_required: false,
      delete_version_after: "0s",
      custom_metadata: null,
      versions: {
        1: { created_time: midnight, deletion_time: "", destroyed: false },
        2: { created_time: second, deletion_time: second, destroyed: false },
      },
      current_metadata_version: 0,
      metadata_cas_required: false,
    }),
  );
});

test("there is none of a secret that is not there", async () => {
  await expect(metadata()).rejects.toMatchObject({ status: 404, messages: [] });
  await expect(kv.call("read", "metadata/a/")).rejects.toMatchObject({ status: 404, messages: [] });
});

describe("writing", () => {
  test("makes a secret without a version, and changes only what is given", async () => {
    expect(await write({ max_versions: "5", cas_required: "true" })).toMatchObject({ status: 204, warnings: [] });
    expect(await metadata()).toMatchObject({ current_version: 0, max_versions: 5, cas_required: true, versions: {} });
    kv.now += 1000;
    await write({ delete_version_after: "1h30m", custom_metadata: { owner: "a", team: "b" } });
    await write({ custom_metadata: { owner: "c" } });
    expect(await metadata()).toMatchObject({
      max_versions: 5,
      cas_required: true,
      delete_version_after: "1h30m0s",
      custom_metadata: { owner: "c" },
      created_time: midnight,
      updated_time: "2030-01-01T00:00:01.000Z",
      current_metadata_version: 3,
    });
  });

  test("nothing to change changes nothing", async () => {
    expect(await write({})).toMatchObject({ status: 204 });
    expect(await write({ metadata_cas: 9 })).toMatchObject({ status: 204 });
    await expect(metadata()).rejects.toMatchObject({ status: 404 });
    await put();
    await write({ max_versions: null });
    expect((await metadata()).current_metadata_version).toBe(0);
  });

  test("notes as key=value pairs, and none when the map is empty", async () => {
    await write({ custom_metadata: ["owner=a", "team=b"] });
    expect((await metadata()).custom_metadata).toEqual({ owner: "a", team: "b" });
    await write({ custom_metadata: {} });
    expect((await metadata()).custom_metadata).toBeNull();
  });

  test.each([
    [{ max_versions: -1 }, "max_versions must be between 0 and 4294967295"],
    [{ max_versions: 4294967296 }, "max_versions must be between 0 and 4294967295"],
    [{ max_versions: "many" }, 'for field "max_versions": expected an integer'],
    [{ delete_version_after: "-1s" }, "delete_version_after must not be negative"],
    [{ delete_version_after: "soon" }, 'for field "delete_version_after": expected a duration'],
    [{ cas_required: "perhaps" }, 'for field "cas_required": expected a boolean'],
    [{ custom_metadata: { a: ["b"] } }, 'for field "custom_metadata": expected a map of strings'],
    [{ custom_metadata: { a: "" } }, "custom_metadata validation failed"],
  ])("refuses %j", async (body, message) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    await put();
    await expect(patch(body)).rejects.toMatchObject({ status: 400 });
  });

  test("a path that ends in a slash is refused", async () => {
    await expect(kv.call("write", "metadata/a/", { max_versions: 1 })).rejects.toThrow("ending in '/'");
  });

  test.each([
    [{ cas_required: true }, { cas_required: false }, '"cas_required" was set to false'],
    [{ metadata_cas_required: true }, { metadata_cas_required: false, metadata_cas: 0 }, '"metadata_cas_required"'],
    [{ delete_version_after: "1h" }, { delete_version_after: "2h" }, "the shorter time counts"],
    [{ delete_version_after: -1 }, { delete_version_after: "2h" }, "turns it off"],
  ])("config %j makes %j a setting without effect, and it says so", async (config, body, warning) => {
    await kv.call("write", "config", config);
    const { warnings, data } = await write(body);
    expect(data).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });
});

describe("check-and-set of metadata", () => {
  const required = "metadata check-and-set parameter required for this call";
  const mismatch = "metadata check-and-set parameter does not match the current version";

  test("counts changes of settings, not of data", async () => {
    await put();
    await write({ metadata_cas: 0, max_versions: 1 });
    await put();
    expect((await metadata()).current_metadata_version).toBe(1);
    await expect(write({ metadata_cas: 0, max_versions: 2 })).rejects.toMatchObject({
      status: 400,
      messages: [mismatch],
    });
    await expect(patch({ metadata_cas: 2, max_versions: 2 })).rejects.toMatchObject({
      status: 400,
      messages: [mismatch],
    });
    await patch({ metadata_cas: "1", max_versions: 2 });
    expect(await metadata()).toMatchObject({ current_metadata_version: 2, max_versions: 2 });
  });

  test("0 is for a secret that is not there yet", async () => {
    await expect(write({ metadata_cas: 1, max_versions: 1 })).rejects.toThrow("metadata_cas must be 0");
    await write({ metadata_cas: 0, max_versions: 1 });
    expect((await metadata()).current_metadata_version).toBe(1);
  });

  test.each([
    ["mount", () => kv.call("write", "config", { metadata_cas_required: true }), 0],
    ["secret", () => write({ metadata_cas_required: true }), 1],
  ])("can be required by the %s", async (_, require, version) => {
    await require();
    await expect(write({ max_versions: 1 })).rejects.toMatchObject({ status: 400, messages: [required] });
    await write({ max_versions: 1, metadata_cas: version });
    await expect(patch({ max_versions: 2 })).rejects.toMatchObject({ status: 400, messages: [required] });
    await patch({ max_versions: 2, metadata_cas: version + 1 });
    await write({ metadata_cas_required: false, metadata_cas: version + 2 });
  });
});

describe("patching", () => {
  test("of a secret that is not there is an empty 404", async () => {
    const { status, data } = await patch({ max_versions: 1 });
    expect({ status, data }).toEqual({ status: 404, data: undefined });
  });

  test("sets, replaces and removes single notes", async () => {
    await write({ custom_metadata: { keep: "yes", change: "old", drop: "x" }, max_versions: 7 });
    expect(await patch({ custom_metadata: { change: 2, drop: null, add: "new" } })).toMatchObject({ status: 204 });
    expect(await metadata()).toMatchObject({
      custom_metadata: { keep: "yes", change: "2", add: "new" },
      max_versions: 7,
      current_metadata_version: 2,
    });
  });

  test.each([
    ["max_versions", 7, 0],
    ["cas_required", true, false],
    ["metadata_cas_required", true, false],
    ["delete_version_after", "1h0m0s", "0s"],
    ["custom_metadata", { a: "b" }, null],
  ])("null resets %s", async (name, value, initial) => {
    await write({ [name]: value });
    expect((await metadata())[name]).toEqual(value);
    await patch({ [name]: null, metadata_cas: 1 });
    expect((await metadata())[name]).toEqual(initial);
  });

  test("removing the last note leaves none", async () => {
    await write({ custom_metadata: { a: "b" } });
    await patch({ custom_metadata: { a: null } });
    expect((await metadata()).custom_metadata).toBeNull();
  });

  test("nothing to change changes nothing", async () => {
    await write({ max_versions: 1 });
    const before = await metadata();
    await patch({});
    await patch({ metadata_cas: 999 });
    expect(await metadata()).toEqual(before);
  });

  test("what remains must still be within the limits", async () => {
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${from + index}`, "value"]));
    await write({ custom_metadata: many(0) });
    await expect(patch({ custom_metadata: many(40) })).rejects.toThrow("at most 64 keys");
    await expect(patch({ custom_metadata: { a: ["b"] } })).rejects.toThrow("must be a string, or null");
  });
});

test("deleting takes everything away, and a new secret begins at version 1", async () => {
  for (let n = 0; n < 4; n++) await put({ n });
  await kv.call("write", "destroy/a", { versions: [2] });
  expect(await kv.call("delete", "metadata/a")).toMatchObject({ status: 204 });
  expect(kv.storage.entries.size).toBe(0);
  expect(await kv.call("delete", "metadata/a")).toMatchObject({ status: 204 });
  expect((await put()).data.version).toBe(1);
});

describe("config", () => {
  test("starts with the defaults and changes only what is given", async () => {
    const read = async () => JSON.stringify((await kv.call("read", "config")).data);
    const shown = (settings: object) =>
      JSON.stringify({
        max_versions: 0,
        cas_required: false,
        delete_version_after: "0s",
        metadata_cas_required: false,
        ...settings,
      });
    expect(await read()).toBe(shown({}));
    expect(await kv.call("write", "config", { max_versions: "3" })).toMatchObject({ status: 204 });
    await kv.call("write", "config", { delete_version_after: "3h25m19s", cas_required: null });
    expect(await read()).toBe(shown({ max_versions: 3, delete_version_after: "3h25m19s" }));
    await kv.call("write", "config", { delete_version_after: "-9h", cas_required: true });
    expect(await read()).toBe(shown({ max_versions: 3, delete_version_after: "-1s", cas_required: true }));
    await kv.call("write", "config", { delete_version_after: 0, max_versions: 0, cas_required: false });
    expect(await read()).toBe(shown({}));
  });

  test("refuses a number of versions that cannot be", async () => {
    await expect(kv.call("write", "config", { max_versions: -1 })).rejects.toMatchObject({ status: 400 });
  });
});
