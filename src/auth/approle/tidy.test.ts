import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { approle } from "./engine.ts";
import type { ApproleServices } from "./services.ts";
import { Tidying, tidyJob } from "./tidy.ts";

let auth: EngineCaller<ApproleServices>;

beforeEach(() => {
  auth = callerOf(approle);
});

/** Two roles with so many secret ids each, every other of which lives for a minute only. */
async function fill(perRole: number) {
  for (const role of ["a", "b"]) {
    await auth.call("write", `role/${role}`);
    for (let i = 0; i < perRole; i++) {
      await auth.call("write", `role/${role}/secret-id`, { ttl: i % 2 === 0 ? "1m" : "1h" });
    }
  }
}

const counts = async () => {
  const count = async (role: string) => (await auth.call("list", `role/${role}/secret-id`)).data.keys.length;
  return [await count("a"), await count("b")];
};

test("deletes what has expired, in the background", async () => {
  await fill(230);
  auth.now += 60_000;
  const started = await auth.call("write", "tidy/secret-id");
  expect(started).toMatchObject({
    status: 202,
    warnings: [expect.stringContaining("Tidy operation successfully started.")],
  });
  const again = await auth.call("write", "tidy/secret-id");
  expect(again).toMatchObject({ status: 200, warnings: ["Tidy operation already in progress."] });
  await auth.services.tidying.idle();
  expect(await counts()).toEqual([115, 115]);
  expect([...auth.storage.entries.keys()].filter((key) => key.startsWith("secret/"))).toHaveLength(230);
  expect(await auth.call("write", "tidy/secret-id")).toMatchObject({ status: 202 });
  await auth.services.tidying.idle();
});

test("has nothing to do in an empty mount", async () => {
  await auth.call("write", "tidy/secret-id");
  await auth.services.tidying.idle();
  expect(auth.storage.entries.size).toBe(0);
});

describe("the job", () => {
  const run = () => tidyJob.run(auth.services, { now: new Date(auth.now), signal: new AbortController().signal });

  test("goes on where it stopped, and begins anew when it is through", async () => {
    await fill(230);
    auth.now += 60_000;
    await run();
    expect((await counts()).reduce((sum, count) => sum + count)).toBeGreaterThan(230);
    expect(auth.storage.entries.has("tidy-point")).toBe(true);
    for (let i = 0; i < 2; i++) await run();
    expect(await counts()).toEqual([115, 115]);
    expect(auth.storage.entries.has("tidy-point")).toBe(false);
  });
});

describe("what was started by hand", () => {
  const errors: string[] = [];
  const quiet = () => {};
  const log = { debug: quiet, info: quiet, warn: quiet, error: (message: string) => void errors.push(message) };

  test("tells the log when it fails, and can be started again", async () => {
    const tidying = new Tidying(log);
    expect(tidying.begin(() => Promise.reject(new Error("sealed")))).toBe(true);
    await tidying.idle();
    expect(errors).toEqual(["tidying secret ids failed"]);
    expect(tidying.begin(async () => {})).toBe(true);
  });

  test("ends with the mount", async () => {
    const tidying = new Tidying(log);
    let steps = 0;
    tidying.begin(async (signal) => {
      for (; !signal.aborted; steps++) await new Promise((resolve) => setImmediate(resolve));
    });
    await tidying.stop();
    const after = steps;
    await new Promise((resolve) => setImmediate(resolve));
    expect(steps).toBe(after);
  });
});
