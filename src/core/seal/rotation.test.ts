import { describe, expect, it } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import {
  ManualClock,
  newAutoUnsealed,
  newProcess,
  newStaticSeal,
  newUnsealed,
  overwrite,
  put,
  rawValue,
  read,
  remove,
  unsealWith,
} from "./seal-fixture.suite.ts";

/** Two processes that were unsealed on one store, by shares and by themselves. */
const pairs = [
  [
    "Shamir",
    async () => {
      const { store, process: one, keys } = await newUnsealed();
      const two = newProcess(store);
      await unsealWith(two, keys.slice(0, 2));
      return {
        store,
        one,
        two,
        reopen: (process: typeof two) => unsealWith(process, keys.slice(1)),
      };
    },
  ],
  [
    "static",
    async () => {
      const { store, process: one } = await newAutoUnsealed();
      const two = newProcess(store, newStaticSeal());
      await two.openAutomatically();
      const reopen = async (process: typeof two) => {
        await process.openAutomatically();
      };
      return { store, one, two, reopen };
    },
  ],
] as const;

const day = 24 * 60 * 60 * 1000;

describe.each(pairs)("rotation under a %s seal", (type, start) => {
  it("writes with a new key, and reads with the old ones, also after a restart", async () => {
    const { store, one, reopen } = await start();
    await put(one, store, "a", "before");
    await one.rotateKeyring();
    await put(one, store, "b", "after");
    expect([(await rawValue(store, "a"))[3], (await rawValue(store, "b"))[3]]).toEqual([1, 2]);
    const later = newProcess(store, type === "static" ? newStaticSeal() : undefined);
    await reopen(later);
    expect([await read(later, store, "a"), await read(later, store, "b")]).toEqual(["before", "after"]);
  });

  it("is followed by another process when it meets the new term", async () => {
    const { store, one, two } = await start();
    await one.rotateKeyring();
    await put(one, store, "a", "value");
    await expect(read(two, store, "a")).rejects.toMatchObject({ name: "UnknownTerm", term: 2 });
    await two.reload();
    expect(await read(two, store, "a")).toBe("value");
    expect(two.keyStatus().term).toBe(2);
  });

  it("of two processes at once makes two terms, and loses none", async () => {
    const { store, one, two } = await start();
    await Promise.all([one.rotateKeyring(), two.rotateKeyring()]);
    await Promise.all([one.reload(), two.reload()]);
    expect([one.keyStatus().term, two.keyStatus().term]).toEqual([3, 3]);
    await put(one, store, "a", "value");
    expect(await read(two, store, "a")).toBe("value");
  });

  it("of the root key leaves shares good and values readable", async () => {
    const { store, one, reopen } = await start();
    await put(one, store, "a", "value");
    const before = Buffer.from(one.barrier.keyring.rootKey.key);
    await one.rotateRootKey();
    expect(one.barrier.keyring.rootKey.key.equals(before)).toBe(false);
    expect(await read(one, store, "a")).toBe("value");
    const later = newProcess(store, type === "static" ? newStaticSeal() : undefined);
    await reopen(later);
    expect(await read(later, store, "a")).toBe("value");
  });

  it("of the root key, again and again, is followed by another process", async () => {
    const { store, one, two } = await start();
    await one.rotateRootKey();
    await one.rotateKeyring();
    await one.rotateRootKey();
    await put(one, store, "a", "value");
    await two.reload();
    expect(await read(two, store, "a")).toBe("value");
    await two.rotateRootKey();
    await two.rotateKeyring();
    await put(two, store, "b", "back");
    await one.reload();
    expect(await read(one, store, "b")).toBe("back");
  });

  it("of the root key by both processes at once works for both", async () => {
    const { store, one, two, reopen } = await start();
    await Promise.all([one.rotateRootKey(), two.rotateRootKey()]);
    await put(one, store, "a", "value");
    const later = newProcess(store, type === "static" ? newStaticSeal() : undefined);
    await reopen(later);
    expect(await read(later, store, "a")).toBe("value");
    expect(later.barrier.keyring.rootKey.generation).toBe(3);
  });

  it("does not give keys back to a process that is sealed meanwhile", async () => {
    const { one } = await start();
    const rotation = one.rotateKeyring();
    await one.seal();
    await rotation.catch(() => {});
    expect(one.barrier.isSealed).toBe(true);
  });
});

describe("a process that slept through a change of the root key", () => {
  async function sleptThrough(start: (typeof pairs)[number][1]) {
    const processes = await start();
    await processes.one.rotateRootKey();
    return processes;
  }

  it("is sealed when people must open it, and says why", async () => {
    const { store, one, two, reopen } = await sleptThrough(pairs[0][1]);
    await put(one, store, "a", "value");
    await remove(store, "core/seal/handoff/1");
    await expect(two.reload()).rejects.toMatchObject({ status: 503 });
    expect(two.barrier.isSealed).toBe(true);
    expect(two.reasons).toEqual([expect.stringContaining("the root key was changed")]);
    await reopen(two);
    expect(await read(two, store, "a")).toBe("value");
  });

  it("opens again when its seal does that by itself", async () => {
    const { store, one, two } = await sleptThrough(pairs[1][1]);
    await put(one, store, "a", "value");
    await remove(store, "core/seal/handoff/1");
    await two.reload();
    expect(await read(two, store, "a")).toBe("value");
  });

  it("cannot be led astray by a forged handoff", async () => {
    const { store, two } = await sleptThrough(pairs[0][1]);
    const value = await rawValue(store, "core/seal/handoff/1");
    for (let index = 0; index < value.length; index += 1) {
      const forged = Buffer.from(value);
      forged[index]! ^= 1;
      await overwrite(store, "core/seal/handoff/1", forged);
      const message = 'the stored entry "core/seal/handoff/1" was altered or moved';
      await expect(two.reload(), `byte ${index}`).rejects.toThrow(message);
    }
  });
});

describe("maintenance", () => {
  it("removes handoffs after ten minutes, and not before", async () => {
    const store = new MemoryStore();
    const clock = new ManualClock();
    const process = newProcess(store, newStaticSeal(), clock);
    await process.initialize({});
    await process.openAutomatically();
    await process.rotateRootKey();
    clock.time += 10 * 60 * 1000 - 1;
    await process.maintain();
    expect(await store.list("core/seal/handoff/")).toEqual(["1"]);
    clock.time += 1;
    await process.maintain();
    expect(await store.list("core/seal/handoff/")).toEqual([]);
  });

  it("adds up what the processes counted", async () => {
    const { store, process: one } = await newAutoUnsealed();
    const two = newProcess(store, newStaticSeal());
    await two.openAutomatically();
    const before = one.keyStatus().encryptions;
    for (let count = 0; count < 5; count += 1) one.barrier.encrypt("a", Buffer.of());
    for (let count = 0; count < 7; count += 1) two.barrier.encrypt("a", Buffer.of());
    expect(one.keyStatus().encryptions).toBe(before + 5);
    await Promise.all([one.maintain(), two.maintain()]);
    await Promise.all([one.maintain(), two.maintain()]);
    await Promise.all([one.reload(), two.reload()]);
    expect([one.keyStatus().encryptions, two.keyStatus().encryptions]).toEqual([before + 12, before + 12]);
  });

  it("counts what is encrypted while the count is being saved", async () => {
    const { process } = await newAutoUnsealed();
    const before = process.keyStatus().encryptions;
    process.barrier.encrypt("a", Buffer.of());
    const saving = process.maintain();
    for (let turn = 0; turn < 20; turn += 1) {
      process.barrier.encrypt("a", Buffer.of());
      await Promise.resolve();
    }
    await saving;
    expect(process.keyStatus().encryptions).toBe(before + 21);
  });

  it("does nothing while sealed", async () => {
    const { process } = await newAutoUnsealed();
    await process.seal();
    await process.maintain();
  });

  it("rotates when the key was used often enough, by whichever process", async () => {
    const { store, process: one } = await newAutoUnsealed();
    const two = newProcess(store, newStaticSeal());
    await two.openAutomatically();
    await one.writeRotation({ max_operations: 1_000_000 });
    one.barrier.keyring.active.unsaved = 600_000;
    two.barrier.keyring.active.unsaved = 600_000;
    await one.maintain();
    expect(one.keyStatus().term).toBe(1);
    await two.maintain();
    expect(two.keyStatus()).toMatchObject({ term: 2, encryptions: 0 });
  });

  it("rotates when the key is old enough, once for all processes", async () => {
    const store = new MemoryStore();
    const clock = new ManualClock();
    const [one, two] = [newProcess(store, newStaticSeal(), clock), newProcess(store, newStaticSeal(), clock)];
    await one.initialize({});
    await Promise.all([one.openAutomatically(), two.openAutomatically()]);
    await one.writeRotation({ interval: day / 1000 });
    clock.time += day - 1;
    await Promise.all([one.maintain(), two.maintain()]);
    expect(one.keyStatus().term).toBe(1);
    clock.time += 1;
    await Promise.all([one.maintain(), two.maintain()]);
    await Promise.all([one.reload(), two.reload()]);
    expect([one.keyStatus().term, two.keyStatus().term]).toEqual([2, 2]);
    expect(two.keyStatus().install_time).toBe("2026-03-02T12:00:00.000Z");
  });

  it("does not rotate when that is switched off", async () => {
    const { process } = await newAutoUnsealed();
    await process.writeRotation({ enabled: false, max_operations: 1_000_000 });
    process.barrier.keyring.active.unsaved = 2_000_000;
    await process.maintain();
    expect(process.keyStatus().term).toBe(1);
  });
});

describe("rotation settings", () => {
  it("are kept, and known to other processes", async () => {
    const { store, process } = await newAutoUnsealed();
    expect(process.readRotation()).toEqual({ enabled: true, max_operations: 3_865_470_566, interval: 0 });
    await process.writeRotation({ interval: 90_000 });
    await process.writeRotation({ max_operations: 5_000_000 });
    const other = newProcess(store, newStaticSeal());
    await other.openAutomatically();
    expect(other.readRotation()).toEqual({ enabled: true, max_operations: 5_000_000, interval: 90_000 });
  });

  it("are refused when out of range, and nothing changes", async () => {
    const { process } = await newAutoUnsealed();
    await expect(process.writeRotation({ interval: 1 })).rejects.toMatchObject({ status: 400 });
    expect(process.readRotation().interval).toBe(0);
  });
});
