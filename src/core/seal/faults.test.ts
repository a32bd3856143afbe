import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import type { RekeyResult } from "./rekey-replies.ts";
import {
  type Fault,
  FaultyStore,
  newAutoUnsealed,
  newProcess,
  newStaticSeal,
  newUnsealed,
  type Process,
  put,
  random,
  rawValue,
  read,
  staticKey,
  unsealWith,
} from "./seal-fixture.suite.ts";
import { StaticSeal } from "./static-seal.ts";

const faults: Fault[] = [
  "fails",
  "conflicts",
  "fails after it happened",
  "fails after it happened, and so does the next call",
];

/** More calls to the store than any operation makes. */
const mostCalls = 100;

/** An operation that changes keys; what it returns are the shares that open from then on, if new ones. */
interface Change {
  readonly name: string;
  readonly start: typeof newUnsealed;
  run(process: Process, keys: readonly string[]): Promise<readonly string[] | undefined>;
}

async function newShares(process: Process, target: "root" | "recovery", keys: readonly string[], verified: boolean) {
  const rekey = process.rekey[target];
  const status = await rekey.status();
  const request = { secret_shares: 3, secret_threshold: 2, require_verification: verified };
  const { nonce } = status.started ? status : await rekey.start(request, true);
  // After a failure the operation is still there; if it has all its shares, one of them brings it to its end.
  const missing = status.progress === 2 ? keys.slice(0, 1) : keys.slice(status.progress, 2);
  let result: unknown;
  for (const key of missing) result = await rekey.update({ key, nonce });
  return result as RekeyResult;
}

const changes: Change[] = [
  { name: "rotating the keyring", start: newUnsealed, run: async (process) => void (await process.rotateKeyring()) },
  { name: "rotating the root key", start: newUnsealed, run: async (process) => void (await process.rotateRootKey()) },
  {
    name: "rotating the root key of a static seal",
    start: newAutoUnsealed,
    run: async (process) => void (await process.rotateRootKey()),
  },
  {
    name: "changing the rotation settings",
    start: newUnsealed,
    run: async (process) => void (await process.writeRotation({ interval: 90_000 })),
  },
  { name: "saving counts", start: newUnsealed, run: async (process) => void (await process.maintain()) },
  {
    name: "new unseal keys",
    start: newUnsealed,
    run: async (process, keys) => (await newShares(process, "root", keys, false)).keys,
  },
  {
    name: "new recovery keys",
    start: newAutoUnsealed,
    run: async (process, keys) => (await newShares(process, "recovery", keys, false)).keys,
  },
  {
    name: "the first recovery keys",
    async start(store = new MemoryStore()) {
      const process = newProcess(store, newStaticSeal());
      await process.initialize({});
      await process.openAutomatically();
      return { store, process, keys: [] };
    },
    async run(process) {
      const request = { secret_shares: 3, secret_threshold: 2 };
      return ((await process.rekey.recovery.start(request, true)) as RekeyResult).keys;
    },
  },
];

async function opened(store: FaultyStore, keys: readonly string[]): Promise<Process> {
  const isStatic = (await rawValue(store, "core/seal/config")).includes("static");
  const process = newProcess(store, isStatic ? newStaticSeal() : undefined);
  if (isStatic) await process.openAutomatically();
  else await unsealWith(process, keys.slice(0, 2));
  return process;
}

/** Whether these shares are the ones in force; no shares are, where there are none. */
async function areInForce(store: FaultyStore, keys: readonly string[]): Promise<boolean> {
  try {
    const process = await opened(store, keys);
    if (keys.length === 0) return (await process.generateRoot.status()).required === 0;
    const { nonce } = await process.generateRoot.start({});
    for (const key of keys.slice(0, 2)) await process.generateRoot.update({ key, nonce });
    return true;
  } catch {
    return false;
  }
}

describe.each(faults)("when a call to the store %s", (fault) => {
  it.each(changes)("$name leaves the old keys or the new ones, whichever call it is", async ({ start, run }) => {
    for (let call = 1; call < mostCalls; call += 1) {
      const store = new FaultyStore();
      const { process, keys } = await start(store);
      await put(process, store, "a", "kept");
      store.failAt(call, fault);
      const current = await run(process, keys).catch(async () => {
        store.recover();
        if (!fault.startsWith("fails after")) expect(await areInForce(store, keys), `call ${call}`).toBe(true);
        return run(process, keys);
      });
      if (!store.hasFailed) return expect(call).toBeGreaterThan(1);
      expect(await areInForce(store, current ?? keys), `call ${call}`).toBe(true);
      await put(process, store, "b", "new");
      const later = await opened(store, current ?? keys);
      expect([await read(later, store, "a"), await read(later, store, "b")]).toEqual(["kept", "new"]);
    }
    throw new Error("the fault was reached every time");
  });

  it("verified new keys are as they were shown, or the old ones are good", async () => {
    const store = new FaultyStore();
    const { process, keys } = await newUnsealed(store);
    const { keys: fresh, verification_nonce: nonce } = await newShares(process, "root", keys, true);
    expect(await areInForce(store, keys)).toBe(true);
    const { root } = process.rekey;
    await root.verify({ key: fresh[0], nonce });
    store.failNextCommit(fault);
    await root.verify({ key: fresh[1], nonce }).catch(() => root.verify({ key: fresh[1], nonce }));
    expect(store.hasFailed).toBe(true);
    expect(await areInForce(store, fresh)).toBe(true);
    expect(await areInForce(store, keys)).toBe(false);
  });

  it("a static seal's new key opens at the second try at the latest, and the old one opens until then", async () => {
    const store = new FaultyStore();
    await newAutoUnsealed(store);
    const next = { id: "two", key: randomBytes(32) };
    store.failNextCommit(fault);
    await newProcess(store, new StaticSeal(random, next, staticKey))
      .openAutomatically()
      .catch(() => {});
    if (fault === "fails") expect(await newProcess(store, newStaticSeal()).openAutomatically()).toBe(true);
    const again = newProcess(store, new StaticSeal(random, next, staticKey));
    // The answer that was lost may still break the next read.
    await again.openAutomatically().catch(() => again.openAutomatically());
    expect(await newProcess(store, new StaticSeal(random, next)).openAutomatically()).toBe(true);
  });

  it("initialization gives out the keys, or has not happened", async () => {
    const store = new FaultyStore();
    const request = { secret_shares: 3, secret_threshold: 2 };
    store.failNextCommit(fault);
    const first = await newProcess(store)
      .initialize(request)
      .catch((error: Error) => error);
    if (fault.endsWith("next call")) {
      expect(first).toMatchObject({ status: 503, message: expect.stringContaining("it must be emptied") });
      return;
    }
    const { keys } = first instanceof Error ? await newProcess(store).initialize(request) : first;
    expect(await areInForce(store, keys)).toBe(true);
  });
});

describe("when it is not known whether new unseal keys are in force", () => {
  async function unknown() {
    const store = new FaultyStore();
    const { process, keys } = await newUnsealed(store);
    const { nonce } = await process.rekey.root.start({ secret_shares: 3, secret_threshold: 2 }, true);
    await process.rekey.root.update({ key: keys[0], nonce });
    store.failNextCommit("fails after it happened, and so does the next call");
    await expect(process.rekey.root.update({ key: keys[1], nonce })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("it is not known whether the new keys are in force"),
    });
    return { store, process, keys, nonce };
  }

  it("only a holder of a share that was given gets them", async () => {
    const { store, process, keys, nonce } = await unknown();
    const { root } = process.rekey;
    await expect(root.update({ key: keys[2], nonce })).rejects.toMatchObject({ status: 400 });
    await expect(root.update({ key: randomBytes(33).toString("hex"), nonce })).rejects.toMatchObject({ status: 400 });
    const { keys: fresh } = (await root.update({ key: keys[0], nonce })) as RekeyResult;
    expect(await areInForce(store, fresh)).toBe(true);
  });

  it("they are not thrown away by calling it off", async () => {
    const { process, nonce } = await unknown();
    await expect(process.rekey.root.cancel(nonce)).rejects.toMatchObject({ status: 503 });
    expect((await process.rekey.root.status()).started).toBe(true);
  });
});

describe("when the server is sealed in the middle", () => {
  it.each(changes)("of $name, it stays sealed and no key is lost, whichever moment it is", async ({ start, run }) => {
    for (let call = 1; call < mostCalls; call += 1) {
      const store = new FaultyStore();
      const { process, keys } = await start(store);
      await put(process, store, "a", "kept");
      let sealing: Promise<void> | undefined;
      let commits = 0;
      store.happenAt(call, () => {
        sealing = process.seal();
        commits = store.commits;
      });
      const outcome = await run(process, keys).catch((error: Error) => error);
      if (!store.hasFailed) return expect(call).toBeGreaterThan(1);
      await sealing;
      expect(process.barrier.isSealed).toBe(true);
      expect(store.commits, `commits after call ${call}`).toBe(commits);
      if (outcome instanceof Error) expect(outcome.message).toBe("Vault is sealed");
      const later = await opened(store, outcome instanceof Error ? keys : (outcome ?? keys));
      expect(await read(later, store, "a")).toBe("kept");
    }
    throw new Error("the moment was reached every time");
  });
});
