import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import {
  FaultyStore,
  newAutoUnsealed,
  newProcess,
  newStaticSeal,
  newUnsealed,
  put,
  random,
  read,
  remove,
  staticKey,
  unsealWith,
} from "./seal-fixture.suite.ts";
import { StaticSeal } from "./static-seal.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function newSealed(secret_shares = 5, secret_threshold = 3) {
  const store = new MemoryStore();
  const process = newProcess(store);
  const { keys, keys_base64 } = await process.initialize({ secret_shares, secret_threshold });
  return { store, process, keys, keys_base64 };
}

describe("the seal's status", () => {
  it("before initialization", async () => {
    expect(await newProcess(new MemoryStore()).status()).toEqual({
      type: "shamir",
      initialized: false,
      sealed: true,
      t: 0,
      n: 0,
      progress: 0,
      nonce: "",
      recovery_seal: false,
      migration: false,
      storage_type: "inmem",
    });
  });

  it("with a seal that opens by itself", async () => {
    const { process } = await newAutoUnsealed();
    expect(await process.status()).toMatchObject({
      type: "static",
      initialized: true,
      sealed: false,
      t: 0,
      n: 0,
      recovery_seal: true,
      recovery_seal_type: "shamir",
    });
  });
});

describe("unsealing with shares", () => {
  it("counts shares under one nonce until there are enough", async () => {
    const { process, keys, keys_base64 } = await newSealed();
    const first = await process.unseal({ key: keys[0] });
    expect(first).toMatchObject({ sealed: true, t: 3, n: 5, progress: 1, nonce: expect.stringMatching(uuid) });
    const second = await process.unseal({ key: keys_base64[4] });
    expect(second).toMatchObject({ sealed: true, progress: 2, nonce: first.nonce });
    const third = await process.unseal({ key: keys[2]!.toUpperCase() });
    expect(third).toMatchObject({ sealed: false, progress: 0, nonce: "" });
  });

  it("does not count a share twice", async () => {
    const { process, keys, keys_base64 } = await newSealed();
    await process.unseal({ key: keys[0] });
    expect(await process.unseal({ key: keys_base64[0] })).toMatchObject({ sealed: true, progress: 1 });
  });

  it("starts again after wrong shares", async () => {
    const { process, keys } = await newSealed();
    const wrong = randomBytes(33);
    wrong[32] = 77;
    await unsealWith(process, keys.slice(0, 2));
    await expect(process.unseal({ key: wrong.toString("hex") })).rejects.toMatchObject({ status: 400 });
    expect(await process.status()).toMatchObject({ sealed: true, progress: 0, nonce: "" });
    await unsealWith(process, keys.slice(0, 3));
    expect(process.barrier.isSealed).toBe(false);
  });

  it("starts again after shares that claim the same place", async () => {
    const { process, keys } = await newSealed(3, 2);
    const impostor = randomBytes(33);
    impostor[32] = Buffer.from(keys[0]!, "hex")[32]!;
    await process.unseal({ key: keys[0] });
    await expect(process.unseal({ key: impostor.toString("hex") })).rejects.toMatchObject({ status: 400 });
    expect((await process.status()).progress).toBe(0);
  });

  it("starts again on request", async () => {
    const { process, keys } = await newSealed();
    await process.unseal({ key: keys[0] });
    expect(await process.unseal({ reset: true })).toMatchObject({ progress: 0, nonce: "" });
  });

  it.each([
    ["", "'key' must be specified in request body as JSON"],
    ["not a key!", "'key' must be a valid hex or base64 string"],
    ["ab", "key is shorter than minimum 33 bytes"],
    ["ab".repeat(32), "key is longer than maximum 33 bytes"],
    [randomBytes(32).toString("base64"), "key is shorter than minimum 33 bytes"],
    ["ab".repeat(34), "key is longer than maximum 33 bytes"],
    ["a".repeat(100_000), "'key' must be a valid hex or base64 string"],
  ])("refuses the share %.20s and keeps the progress", async (key, message) => {
    const { process, keys } = await newSealed();
    await process.unseal({ key: keys[0] });
    await expect(process.unseal({ key })).rejects.toMatchObject({ status: 400, message });
    expect((await process.status()).progress).toBe(1);
  });

  it("takes a share and changes nothing when it is open already", async () => {
    const { process, keys } = await newUnsealed();
    expect(await process.unseal({ key: keys[2] })).toMatchObject({ sealed: false, progress: 0 });
    await expect(process.unseal({ reset: true })).rejects.toThrow("vault is unsealed");
  });

  it("is not possible before initialization, nor into another seal", async () => {
    await expect(newProcess(new MemoryStore()).unseal({ key: "ab" })).rejects.toThrow("Vault is not initialized");
    const { process, keys } = await newSealed();
    await expect(process.unseal({ key: keys[0], migrate: true })).rejects.toThrow("migration");
  });

  it("counts shares that arrive at the same moment", async () => {
    const { process, keys } = await newSealed(5, 5);
    await Promise.all(keys.map((key) => process.unseal({ key })));
    expect(process.barrier.isSealed).toBe(false);
  });

  it.each([1, 2, 3, 4])(
    "keeps the shares when the store fails at call %i, and goes on with any of them",
    async (call) => {
      const store = new FaultyStore();
      const process = newProcess(store);
      const { keys } = await process.initialize({ secret_shares: 3, secret_threshold: 2 });
      await process.unseal({ key: keys[0] });
      store.failAt(call, "fails");
      await expect(process.unseal({ key: keys[1] })).rejects.toThrow("the disk cannot be read");
      expect((await process.unseal({ key: keys[1] })).sealed).toBe(false);
    },
  );

  it("says so when a part of the store is lost", async () => {
    const { store, process, keys } = await newSealed(3, 2);
    await remove(store, "core/seal/keyring");
    await expect(unsealWith(process, keys.slice(0, 2))).rejects.toThrow("a part of it was lost");
  });
});

describe("sealing", () => {
  it("takes the keys away, and unsealing brings them back", async () => {
    const { store, process, keys } = await newUnsealed();
    await put(process, store, "a", "kept");
    const { key } = process.barrier.keyring.rootKey;
    await process.seal();
    expect(key.every((byte) => byte === 0)).toBe(true);
    expect(process.reasons).toEqual(["sealed on request"]);
    await expect(read(process, store, "a")).rejects.toMatchObject({ status: 503, message: "Vault is sealed" });
    await process.seal();
    expect(process.reasons).toHaveLength(1);
    await unsealWith(process, keys.slice(1));
    expect(await read(process, store, "a")).toBe("kept");
  });

  it("forgets what was under way", async () => {
    const { process, keys } = await newUnsealed();
    await process.rekey.root.start({ secret_shares: 1, secret_threshold: 1 }, false);
    await process.generateRoot.start({});
    await process.seal();
    await expect(process.rekey.root.status()).rejects.toThrow("Vault is sealed");
    await expect(process.generateRoot.status()).rejects.toThrow("Vault is sealed");
    await unsealWith(process, keys.slice(0, 2));
    expect((await process.rekey.root.status()).started).toBe(false);
    expect((await process.generateRoot.status()).started).toBe(false);
  });
});

describe("a seal that opens by itself", () => {
  it("opens when the server starts, in every process", async () => {
    const { store, process } = await newAutoUnsealed();
    await put(process, store, "a", "shared");
    const other = newProcess(store, newStaticSeal());
    expect(await other.openAutomatically()).toBe(true);
    expect(await read(other, store, "a")).toBe("shared");
  });

  it("waits for initialization", async () => {
    expect(await newProcess(new MemoryStore(), newStaticSeal()).openAutomatically()).toBe(false);
  });

  it("is not opened by recovery keys", async () => {
    const { process, keys } = await newAutoUnsealed();
    expect((await process.unseal({ key: keys[0] })).sealed).toBe(false);
    await process.seal();
    await expect(process.unseal({ key: keys[0] })).rejects.toThrow("recovery keys cannot unseal");
  });

  it("wraps again with a new key, after which the old one is not needed", async () => {
    const { store, process } = await newAutoUnsealed();
    await put(process, store, "a", "kept");
    const next = { id: "two", key: randomBytes(32) };
    expect(await newProcess(store, new StaticSeal(random, next, staticKey)).openAutomatically()).toBe(true);
    const later = newProcess(store, new StaticSeal(random, next));
    expect(await later.openAutomatically()).toBe(true);
    expect(await read(later, store, "a")).toBe("kept");
    await expect(newProcess(store, newStaticSeal()).openAutomatically()).rejects.toThrow(
      'this store\'s root key was wrapped by the static key "two", and the configuration has "one"',
    );
  });

  it("says so when the key is wrong", async () => {
    const { store } = await newAutoUnsealed();
    const impostor = newProcess(store, new StaticSeal(random, { id: "one", key: randomBytes(32) }));
    await expect(impostor.openAutomatically()).rejects.toThrow("a different key under the same id");
    expect(impostor.barrier.isSealed).toBe(true);
  });

  it("is not mistaken for another kind of seal", async () => {
    const { store: shamir } = await newUnsealed();
    const { store: automatic } = await newAutoUnsealed();
    const message = /this store is sealed with the seal "\w+", and the configuration has "\w+"/;
    await expect(newProcess(shamir, newStaticSeal()).openAutomatically()).rejects.toThrow(message);
    await expect(newProcess(automatic).openAutomatically()).rejects.toThrow(message);
    await expect(newProcess(automatic).unseal({ key: "ab" })).rejects.toThrow(message);
  });
});
