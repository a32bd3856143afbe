import { beforeEach, describe, expect, test } from "vitest";
import { MapStorage } from "../../test/support/engine-caller.ts";
import { Lockouts, standardLockout } from "./lockout.ts";

const midnight = Date.UTC(2030, 0, 1);
const second = (seconds: number) => new Date(midnight + seconds * 1000);

let storage: MapStorage;
let lockouts: Lockouts;

beforeEach(() => {
  storage = new MapStorage();
  lockouts = new Lockouts(storage);
});

async function fail(alias: string, times: readonly number[], known = true) {
  for (const seconds of times) await lockouts.recordFailure(alias, second(seconds), { known });
}

/** With five failures, a lock of fifteen minutes, and as long until failures are forgotten. */
test.each<[string, readonly number[], number, boolean]>([
  ["no failure", [], 0, false],
  ["four failures", [0, 1, 2, 3], 4, false],
  ["five failures", [0, 1, 2, 3, 4], 4, true],
  ["five failures, shortly before the lock ends", [0, 1, 2, 3, 4], 903, true],
  ["five failures, when the lock ends", [0, 1, 2, 3, 4], 904, false],
  ["failures far apart", [0, 900, 1800, 2700, 3600], 3600, false],
  ["failures just near enough", [0, 899, 1798, 2697, 3596], 3596, true],
  ["failures during a lock, which do not prolong it", [0, 1, 2, 3, 4, 500], 904, false],
  ["one failure after a lock", [0, 1, 2, 3, 4, 904], 904, false],
  ["five failures after a lock", [0, 1, 2, 3, 4, 904, 905, 906, 907, 908], 908, true],
])("%s", async (_, times, at, isLocked) => {
  await fail("ada", times);
  expect(await lockouts.isLocked("ada", second(at))).toBe(isLocked);
  expect(await lockouts.locked(second(at))).toEqual(isLocked ? ["ada"] : []);
});

test("users are counted apart", async () => {
  await fail("ada", [0, 1, 2, 3, 4]);
  await fail("bob", [0, 1, 2, 3]);
  expect(await lockouts.isLocked("bob", second(4))).toBe(false);
});

test("clearing forgets everything, and writes nothing where there is nothing", async () => {
  await fail("ada", [0, 1, 2, 3, 4]);
  await lockouts.clear("ada");
  await lockouts.clear("bob");
  expect(storage.entries.size).toBe(0);
  expect(await lockouts.isLocked("ada", second(4))).toBe(false);
});

test("names that nobody has lock alike, and are not listed", async () => {
  await fail("nobody", [0, 1, 2, 3, 4], false);
  expect(await lockouts.isLocked("nobody", second(4))).toBe(true);
  expect(await lockouts.locked(second(4))).toEqual([]);
});

test("everybody is listed, in order, over many pages", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `user-${index}`);
  for (const name of names) await fail(name, [0, 1, 2, 3, 4]);
  expect(await lockouts.locked(second(4))).toEqual(names.sort());
});

test("any name can be counted", async () => {
  for (const name of ["a/b", "\ud800", "x".repeat(5000), ""]) await fail(name, [0, 1, 2, 3, 4]);
  expect(await lockouts.isLocked("x".repeat(5000), second(4))).toBe(true);
});

test("failures that are over do not pile up", async () => {
  const count = 150;
  for (let i = 0; i < count; i++) await fail(`guess-${i}`, [0], false);
  for (let i = 0; i < count; i++) await fail(`later-${i}`, [2000], false);
  const old = [...storage.entries.values()].filter((bytes) => Buffer.from(bytes).includes("guess-"));
  expect(old.length).toBeLessThan(count / 2);
});

describe("rules", () => {
  const lockedAfter = async (failures: number, rules: Partial<typeof standardLockout>) => {
    lockouts = new Lockouts(storage, { ...standardLockout, ...rules });
    await fail("ada", new Array(failures).fill(0));
    return lockouts.isLocked("ada", second(0));
  };

  test.each([
    [1, { threshold: 1 }, true],
    [9, { threshold: 10 }, false],
    [9, { threshold: 0 }, false],
    [9, { disabled: true }, false],
    [9, { durationSeconds: 0 }, false],
  ])("%i failures under %j", async (failures, rules, isLocked) => {
    expect(await lockedAfter(failures, rules)).toBe(isLocked);
  });

  test("whose lock ends before failures are forgotten begin anew after it", async () => {
    await lockedAfter(5, { durationSeconds: 60 });
    expect(await lockouts.isLocked("ada", second(59))).toBe(true);
    await fail("ada", [60]);
    expect(await lockouts.isLocked("ada", second(60))).toBe(false);
  });

  test("that are switched off also open what was locked", async () => {
    await lockedAfter(5, {});
    expect(await new Lockouts(storage, { ...standardLockout, disabled: true }).isLocked("ada", second(0))).toBe(false);
  });
});
