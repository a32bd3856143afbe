import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../../test/support/engine-caller.ts";
import { versionedKv } from "../engine.ts";

let kv: EngineCaller;

beforeEach(async () => {
  kv = callerOf(versionedKv);
  for (const n of [1, 2, 3]) await kv.call("write", "data/a", { data: { n } });
});

const statuses = async () => {
  const numbers = [1, 2, 3];
  const reads = await Promise.all(numbers.map((version) => kv.call("read", "data/a", { version })));
  return reads.map(({ status }) => status);
};

const versionRecords = () => [...kv.storage.entries.keys()].filter((key) => key.startsWith("versions/"));

describe("deleting, undeleting and destroying by number", () => {
  test.each<[string, unknown, number[]]>([
    ["delete", [1], [404, 200, 200]],
    ["delete", ["1", "3"], [404, 200, 404]],
    ["delete", "1,2", [404, 404, 200]],
    ["delete", 2, [200, 404, 200]],
    ["delete", [7, 0, -1], [200, 200, 200]],
    ["undelete", [1], [200, 200, 200]],
    ["destroy", [2], [200, 404, 200]],
    ["destroy", ["1", 2, 3], [404, 404, 404]],
  ])("%s %j", async (verb, versions, expected) => {
    expect(await kv.call("write", `${verb}/a`, { versions })).toMatchObject({ status: 204, data: undefined });
    expect(await statuses()).toEqual(expected);
  });

  test.each([
    ["delete", {}],
    ["undelete", { versions: [] }],
    ["destroy", { versions: null }],
    ["destroy", { versions: "" }],
  ])("%s without numbers (%j) is refused", async (verb, body) => {
    const attempt = kv.call("write", `${verb}/a`, body);
    await expect(attempt).rejects.toMatchObject({ status: 400, messages: ["No version number provided"] });
  });

  test.each(["delete/a/", "undelete/", "destroy/a/"])("%s ends in a slash, and is refused", async (path) => {
    await expect(kv.call("write", path, { versions: [1] })).rejects.toMatchObject({ status: 400 });
  });

  test.each(["delete", "undelete", "destroy"])("%s of a secret that is not there changes nothing", async (verb) => {
    const before = kv.storage.entries.size;
    expect(await kv.call("write", `${verb}/other`, { versions: [1] })).toMatchObject({ status: 204 });
    expect(kv.storage.entries.size).toBe(before);
  });
});

test("what is deleted comes back, with its data", async () => {
  await kv.call("write", "delete/a", { versions: [2] });
  await kv.call("write", "undelete/a", { versions: [2] });
  const { data } = await kv.call("read", "data/a", { version: 2 });
  expect(data).toMatchObject({ data: { n: 2 }, metadata: { deletion_time: "" } });
});

test("what is destroyed is gone from the store, and cannot come back", async () => {
  await kv.call("write", "destroy/a", { versions: [2] });
  expect(versionRecords()).toEqual(["versions/a/1", "versions/a/3"]);
  await kv.call("write", "undelete/a", { versions: [2] });
  await kv.call("write", "delete/a", { versions: [2] });
  const { status, data } = await kv.call("read", "data/a", { version: 2 });
  expect(status).toBe(404);
  expect(data.metadata).toMatchObject({ destroyed: true, deletion_time: "" });
});

describe("deletion timers", () => {
  const hour = 3600;

  test.each([
    { mount: 0, key: 0, seconds: undefined },
    { mount: "1h", key: 0, seconds: hour },
    { mount: 0, key: "2h0m0s", seconds: 2 * hour },
    { mount: "1h", key: "2h", seconds: hour },
    { mount: "2h", key: "1h", seconds: hour },
    { mount: -1, key: "1h", seconds: undefined },
  ])("mount $mount, secret $key: after $seconds", async ({ mount, key, seconds }) => {
    await kv.call("write", "config", { delete_version_after: mount });
    await kv.call("write", "metadata/a", { delete_version_after: key });
    const { data } = await kv.call("write", "data/a", { data: { n: 4 } });
    const due = seconds === undefined ? "" : new Date(kv.now + seconds * 1000).toISOString();
    expect(data.deletion_time).toBe(due);
    expect((await kv.call("read", "data/a", { version: 3 })).data.metadata.deletion_time).toBe("");

    kv.now += (seconds ?? 0) * 1000 - 1;
    expect((await kv.call("read", "data/a")).status).toBe(200);
    kv.now += 1;
    const { status, data: late } = await kv.call("read", "data/a");
    expect(status).toBe(seconds === undefined ? 200 : 404);
    expect(late.metadata.deletion_time).toBe(due);
  });

  test("a version past its time cannot be patched, and an undeletion begins its time anew", async () => {
    await kv.call("write", "config", { delete_version_after: "1h" });
    await kv.call("write", "data/a", { data: { n: 4 } });
    kv.now += hour * 1000;
    expect((await kv.call("patch", "data/a", { data: { n: 5 } })).status).toBe(404);
    kv.now += 1000;
    await kv.call("write", "undelete/a", { versions: [4] });
    const { status, data } = await kv.call("read", "data/a");
    expect(status).toBe(200);
    expect(data.metadata.deletion_time).toBe(new Date(kv.now + hour * 1000).toISOString());
  });

  test("deleting ahead of time moves the time", async () => {
    await kv.call("write", "config", { delete_version_after: "1h" });
    await kv.call("write", "data/a", { data: { n: 4 } });
    kv.now += 5000;
    await kv.call("delete", "data/a");
    const { data } = await kv.call("read", "data/a");
    expect(data.metadata.deletion_time).toBe(new Date(kv.now).toISOString());
  });
});

describe("the oldest versions are dropped", () => {
  const write = async (times: number) => {
    for (let time = 0; time < times; time++) await kv.call("write", "data/b", { data: { time } });
    const { data } = await kv.call("read", "metadata/b");
    return { oldest: data.oldest_version, versions: Object.keys(data.versions).map(Number) };
  };
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  test.each([
    { mount: 0, key: 0, times: 9, oldest: 0, kept: range(1, 9) },
    { mount: 0, key: 0, times: 10, oldest: 1, kept: range(1, 10) },
    { mount: 0, key: 0, times: 13, oldest: 4, kept: range(4, 13) },
    { mount: 3, key: 0, times: 5, oldest: 3, kept: range(3, 5) },
    { mount: 0, key: 2, times: 5, oldest: 4, kept: [4, 5] },
    { mount: 3, key: 5, times: 6, oldest: 2, kept: range(2, 6) },
    { mount: 5, key: 3, times: 6, oldest: 4, kept: range(4, 6) },
    { mount: 1, key: 0, times: 4, oldest: 4, kept: [4] },
  ])("mount $mount, secret $key, $times writes", async ({ mount, key, times, oldest, kept }) => {
    await kv.call("write", "config", { max_versions: mount });
    await kv.call("write", "metadata/b", { max_versions: key });
    expect(await write(times)).toEqual({ oldest, versions: kept });
    const stored = versionRecords().filter((name) => name.startsWith("versions/b/"));
    expect(stored).toEqual(kept.map((number) => `versions/b/${number}`));
    if (oldest > 1) {
      const dropped = kv.call("read", "data/b", { version: oldest - 1 });
      await expect(dropped).rejects.toMatchObject({ status: 404, messages: [] });
    }
  });

  test("several at once when the number was lowered, none when it was raised", async () => {
    await write(8);
    await kv.call("write", "metadata/b", { max_versions: 2 });
    expect((await write(0)).versions).toEqual(range(1, 8));
    expect(await write(1)).toEqual({ oldest: 8, versions: [8, 9] });
    await kv.call("write", "metadata/b", { max_versions: 4 });
    expect(await write(1)).toEqual({ oldest: 8, versions: [8, 9, 10] });
    expect(await write(2)).toEqual({ oldest: 9, versions: [9, 10, 11, 12] });
  });
});
