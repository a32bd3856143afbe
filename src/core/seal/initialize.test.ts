import { describe, expect, it, vi } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import { AlteredEntry } from "./barrier.ts";
import type { InitializeResult } from "./initialize.ts";
import {
  allValues,
  newAutoUnsealed,
  newProcess,
  newStaticSeal,
  newUnsealed,
  overwrite,
  rawValue,
  read,
  unsealWith,
} from "./seal-fixture.suite.ts";

describe("initialization", () => {
  it("hands out shares in both forms and leaves the server sealed", async () => {
    const process = newProcess(new MemoryStore());
    expect(await process.isInitialized()).toBe(false);
    const { keys, keys_base64, ...rest } = await process.initialize({ secret_shares: 5, secret_threshold: 3 });
    expect(rest).toEqual({});
    expect(keys.map((key) => Buffer.from(key, "hex").length)).toEqual([33, 33, 33, 33, 33]);
    expect(keys_base64.map((key) => Buffer.from(key, "base64").toString("hex"))).toEqual(keys);
    expect(await process.isInitialized()).toBe(true);
    expect(process.barrier.isSealed).toBe(true);
  });

  it("hands out the plain key when there is one share", async () => {
    const process = newProcess(new MemoryStore());
    const { keys } = await process.initialize({ secret_shares: 1, secret_threshold: 1 });
    expect(Buffer.from(keys[0]!, "hex").length).toBe(32);
    expect((await process.unseal({ key: keys[0] })).sealed).toBe(false);
  });

  it("hands out recovery keys with a seal that opens by itself", async () => {
    const process = newProcess(new MemoryStore(), newStaticSeal());
    const result = await process.initialize({ recovery_shares: 3, recovery_threshold: 2 });
    expect(result.keys).toEqual([]);
    expect(result.recovery_keys).toHaveLength(3);
    expect(result.recovery_keys_base64).toHaveLength(3);
    expect(await process.openAutomatically()).toBe(true);
  });

  it("makes no recovery keys when none are asked for", async () => {
    const process = newProcess(new MemoryStore(), newStaticSeal());
    expect(await process.initialize({})).toEqual({ keys: [], keys_base64: [] });
    expect(await process.openAutomatically()).toBe(true);
  });

  it.each([
    [{}, "invalid seal configuration: shares must be at least one"],
    [{ secret_shares: 3 }, "invalid seal configuration: threshold must be at least one"],
    [{ secret_shares: 3, secret_threshold: 4 }, "invalid seal configuration: threshold cannot be larger than shares"],
    [{ secret_shares: 256, secret_threshold: 3 }, "invalid seal configuration: shares must be at most 255"],
    [{ secret_shares: 2, secret_threshold: 1 }, "threshold must be greater than one for multiple shares"],
    [{ secret_shares: -1, secret_threshold: 1 }, "shares must be at least one"],
    [{ secret_shares: 2.5, secret_threshold: 2 }, "shares must be at least one"],
    [
      { secret_shares: 1, secret_threshold: 1, recovery_shares: 1, recovery_threshold: 1 },
      "parameters recovery_shares,recovery_threshold not applicable to seal type shamir",
    ],
    [{ secret_shares: 1, secret_threshold: 1, pgp_keys: ["x"] }, "pgp_keys is not supported"],
    [{ secret_shares: 1, secret_threshold: 1, root_token_pgp_key: "x" }, "root_token_pgp_key is not supported"],
  ])("refuses %j", async (request, message) => {
    const store = new MemoryStore();
    await expect(newProcess(store).initialize(request)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
    expect(await allValues(store)).toEqual([]);
  });

  it.each([
    [
      { secret_shares: 1, secret_threshold: 1 },
      "parameters secret_shares,secret_threshold not applicable to seal type static",
    ],
    [
      { recovery_shares: 3, recovery_threshold: 4 },
      "invalid recovery configuration: threshold cannot be larger than shares",
    ],
    [{ recovery_threshold: 1 }, "invalid recovery configuration: shares must be at least one"],
  ])("refuses %j with a static seal", async (request, message) => {
    await expect(newProcess(new MemoryStore(), newStaticSeal()).initialize(request)).rejects.toThrow(message);
  });

  it("happens once", async () => {
    const { process } = await newUnsealed();
    await expect(process.initialize({ secret_shares: 1, secret_threshold: 1 })).rejects.toMatchObject({
      status: 400,
      message: "Vault is already initialized",
    });
  });

  it("has one winner when two processes try at once", async () => {
    const store = new MemoryStore();
    const request = { secret_shares: 1, secret_threshold: 1 };
    const outcomes = await Promise.allSettled([
      newProcess(store).initialize(request),
      newProcess(store).initialize(request),
    ]);
    const [won, lost] = outcomes[0].status === "fulfilled" ? outcomes : [outcomes[1]!, outcomes[0]];
    expect(lost).toMatchObject({ status: "rejected", reason: { message: "Vault is already initialized" } });
    const { keys } = (won as PromiseFulfilledResult<InitializeResult>).value;
    expect((await newProcess(store).unseal({ key: keys[0] })).sealed).toBe(false);
  });

  it("writes the first entries of others in the same commit, encrypted", async () => {
    const store = new MemoryStore();
    const commits = vi.spyOn(store, "commit");
    const process = newProcess(store);
    const { keys } = await process.initialize(
      { secret_shares: 1, secret_threshold: 1 },
      async () => new Map([["core/first", Buffer.from("first secret")]]),
    );
    expect(commits).toHaveBeenCalledOnce();
    await unsealWith(process, keys);
    expect(await read(process, store, "core/first")).toBe("first secret");
    expect(process.keyStatus().encryptions).toBe(2);
  });

  it("changes nothing when the first entries cannot be made", async () => {
    const store = new MemoryStore();
    const failing = newProcess(store).initialize({ secret_shares: 1, secret_threshold: 1 }, () => {
      throw new Error("no first entries");
    });
    await expect(failing).rejects.toThrow("no first entries");
    expect(await allValues(store)).toEqual([]);
  });
});

describe("a raw copy of the store", () => {
  it.each([
    ["Shamir", newUnsealed],
    ["static", newAutoUnsealed],
  ])("shows no key and no share of a server with a %s seal", async (_, start) => {
    const store = new MemoryStore();
    const { process, keys } = await start(store);
    await process.rotateKeyring();
    await process.rotateRootKey();
    const { keyring } = process.barrier;
    const secrets = [
      keyring.rootKey.key,
      ...[...keyring.terms.values()].map(({ key }) => key),
      ...keys.map((key) => Buffer.from(key, "hex").subarray(0, 32)),
    ];
    const dump = Buffer.concat(await allValues(store));
    for (const secret of secrets) {
      expect(dump.includes(secret)).toBe(false);
      expect(dump.includes(secret.toString("hex"))).toBe(false);
      expect(dump.includes(secret.toString("base64").slice(0, 40))).toBe(false);
    }
  });

  it.each(["core/seal/config", "core/seal/root-key", "core/seal/keyring"])(
    "does not unseal when %s is altered",
    async (key) => {
      const store = new MemoryStore();
      const { keys } = await newUnsealed(store);
      const value = await rawValue(store, key);
      for (const at of [0, value.length - 3]) {
        const altered = Buffer.from(value);
        altered[at]! ^= 1;
        await overwrite(store, key, altered);
        await expect(unsealWith(newProcess(store), keys.slice(0, 2)), `byte ${at}`).rejects.toThrow(
          /altered or moved|key shares are not the right ones|has format/,
        );
      }
    },
  );

  it("is not unsealed by another store's keyring", async () => {
    const [store, other] = [new MemoryStore(), new MemoryStore()];
    const { keys } = await newUnsealed(store);
    await newUnsealed(other);
    await overwrite(store, "core/seal/keyring", await rawValue(other, "core/seal/keyring"));
    await expect(unsealWith(newProcess(store), keys.slice(0, 2))).rejects.toThrow(AlteredEntry);
  });
});
