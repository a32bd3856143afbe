import { describe, expect, it } from "vitest";
import { MemoryStore } from "../storage/memory.ts";
import type { RekeyResult, VerificationStatus } from "./rekey-replies.ts";
import {
  newAutoUnsealed,
  newProcess,
  newStaticSeal,
  newUnsealed,
  type Process,
  put,
  read,
  unsealWith,
} from "./seal-fixture.suite.ts";

type Target = "root" | "recovery";

/** Gives shares until the operation answers with new ones. */
async function agree(process: Process, target: Target, keys: readonly string[]): Promise<RekeyResult> {
  const { nonce } = await process.rekey[target].status();
  let answer: unknown;
  for (const key of keys) answer = await process.rekey[target].update({ key, nonce });
  return answer as RekeyResult;
}

const fiveOfThree = { secret_shares: 5, secret_threshold: 3 };

describe("new unseal keys", () => {
  it("replace the old ones once enough holders agree", async () => {
    const { store, process, keys } = await newUnsealed();
    await put(process, store, "a", "kept");
    expect(await process.rekey.root.status()).toEqual({
      nonce: "",
      started: false,
      t: 0,
      n: 0,
      progress: 0,
      required: 2,
      pgp_fingerprints: null,
      backup: false,
      verification_required: false,
    });
    const started = await process.rekey.root.start(fiveOfThree, true);
    expect(started).toMatchObject({ started: true, t: 3, n: 5, progress: 0, required: 2 });
    const { nonce } = started;
    expect(await process.rekey.root.update({ key: keys[0], nonce })).toMatchObject({ started: true, progress: 1 });
    const result = (await process.rekey.root.update({ key: keys[2], nonce })) as RekeyResult;
    expect(result).toMatchObject({ complete: true, nonce, verification_required: false, backup: false });
    expect(result.keys).toHaveLength(5);
    expect(result.keys_base64).toHaveLength(5);
    expect((await process.rekey.root.status()).started).toBe(false);
    expect(await read(process, store, "a")).toBe("kept");

    const later = newProcess(store);
    await unsealWith(later, result.keys.slice(2));
    expect(await read(later, store, "a")).toBe("kept");
    expect(await later.status()).toMatchObject({ t: 3, n: 5 });
    await expect(unsealWith(newProcess(store), [...keys])).rejects.toThrow("unseal failed");
  });

  it("can be a single one, and several again", async () => {
    const { store, process, keys } = await newUnsealed();
    await process.rekey.root.start({ secret_shares: 1, secret_threshold: 1 }, true);
    const single = await agree(process, "root", keys.slice(0, 2));
    expect(Buffer.from(single.keys[0]!, "hex").length).toBe(32);
    await process.rekey.root.start(fiveOfThree, true);
    const several = await agree(process, "root", single.keys);
    const later = newProcess(store);
    await unsealWith(later, several.keys.slice(0, 3));
    expect(later.barrier.isSealed).toBe(false);
  });

  it("reach other processes, which go on and can change them again", async () => {
    const { store, process: one, keys } = await newUnsealed();
    const two = newProcess(store);
    await unsealWith(two, keys.slice(0, 2));
    await one.rekey.root.start(fiveOfThree, true);
    const first = await agree(one, "root", keys.slice(0, 2));
    await one.rotateKeyring();
    await two.rekey.root.start({ secret_shares: 3, secret_threshold: 2 }, true);
    expect((await two.rekey.root.status()).required).toBe(3);
    const second = await agree(two, "root", first.keys.slice(0, 3));
    const later = newProcess(store);
    await unsealWith(later, second.keys.slice(0, 2));
    expect(later.barrier.isSealed).toBe(false);
  });

  it("let the root key be changed without shares afterwards", async () => {
    const { store, process, keys } = await newUnsealed();
    await process.rekey.root.start(fiveOfThree, true);
    const { keys: fresh } = await agree(process, "root", keys.slice(0, 2));
    await process.rotateRootKey();
    const later = newProcess(store);
    await unsealWith(later, fresh.slice(0, 3));
    expect(later.barrier.isSealed).toBe(false);
  });

  it("have one winner when two processes change them at once", async () => {
    const { store, process: one, keys } = await newUnsealed();
    const two = newProcess(store);
    await unsealWith(two, keys.slice(0, 2));
    await one.rekey.root.start(fiveOfThree, true);
    await two.rekey.root.start(fiveOfThree, true);
    const outcomes = await Promise.allSettled([
      agree(one, "root", keys.slice(0, 2)),
      agree(two, "root", keys.slice(0, 2)),
    ]);
    const winners = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(winners).toHaveLength(1);
    const later = newProcess(store);
    await unsealWith(later, winners[0]!.value.keys.slice(0, 3));
    expect(later.barrier.isSealed).toBe(false);
  });

  it("are not made when another process was faster with the last share", async () => {
    const { store, process: one, keys } = await newUnsealed();
    const two = newProcess(store);
    await unsealWith(two, keys.slice(0, 2));
    const { nonce } = await two.rekey.root.start(fiveOfThree, true);
    await two.rekey.root.update({ key: keys[0], nonce });
    await one.rekey.root.start({ secret_shares: 3, secret_threshold: 2 }, true);
    const { keys: fresh } = await agree(one, "root", keys.slice(0, 2));
    await expect(two.rekey.root.update({ key: keys[1], nonce })).rejects.toMatchObject({ status: 400 });
    const later = newProcess(store);
    await unsealWith(later, fresh.slice(0, 2));
    expect(later.barrier.isSealed).toBe(false);
  });

  it.each([
    [{}, "invalid rekey seal configuration: shares must be at least one"],
    [{ secret_shares: 3, secret_threshold: 4 }, "threshold cannot be larger than shares"],
    [{ ...fiveOfThree, pgp_keys: ["x"] }, "pgp_keys is not supported"],
  ])("are not started with %j", async (request, message) => {
    const { process } = await newUnsealed();
    await expect(process.rekey.root.start(request, true)).rejects.toThrow(message);
    expect((await process.rekey.root.status()).started).toBe(false);
  });

  it("refuse wrong nonces, repeated shares and a second start, and keep the progress", async () => {
    const { process, keys } = await newUnsealed();
    const { root } = process.rekey;
    await expect(root.update({ key: keys[0], nonce: "" })).rejects.toThrow("no barrier rekey in progress");
    const { nonce } = await root.start(fiveOfThree, true);
    await expect(root.start(fiveOfThree, true)).rejects.toThrow("rekey already in progress");
    await root.update({ key: keys[0], nonce });
    await expect(root.update({ key: keys[1], nonce: "another" })).rejects.toThrow("incorrect nonce supplied");
    await expect(root.update({ key: keys[0], nonce })).rejects.toThrow("given key has already been provided");
    await expect(root.update({ key: "zz", nonce })).rejects.toMatchObject({ status: 400 });
    expect((await root.status()).progress).toBe(1);
  });

  it("are not made from wrong shares; the count starts again", async () => {
    const { process, keys } = await newUnsealed();
    const { process: stranger, keys: strange } = await newUnsealed();
    expect(stranger.barrier.isSealed).toBe(false);
    const { nonce } = await process.rekey.root.start(fiveOfThree, true);
    await process.rekey.root.update({ key: keys[0], nonce });
    await expect(process.rekey.root.update({ key: strange[1], nonce })).rejects.toThrow("rekey refused");
    expect(await process.rekey.root.status()).toMatchObject({ started: true, progress: 0 });
    expect((await agree(process, "root", keys.slice(1))).complete).toBe(true);
  });

  it("can be called off", async () => {
    const { process, keys } = await newUnsealed();
    const { root } = process.rekey;
    const { nonce } = await root.start(fiveOfThree, true);
    await root.update({ key: keys[0], nonce });
    await expect(root.cancel("another")).rejects.toThrow("incorrect nonce supplied");
    await root.cancel(nonce);
    await root.cancel();
    expect((await root.status()).started).toBe(false);
    await root.start(fiveOfThree, true);
    expect((await agree(process, "root", keys.slice(0, 2))).keys).toHaveLength(5);
  });

  it("need an unsealed server", async () => {
    const { process } = await newUnsealed();
    await process.seal();
    const { root } = process.rekey;
    for (const call of [root.status(), root.start(fiveOfThree, true), root.update({}), root.verify({})]) {
      await expect(call).rejects.toMatchObject({ status: 503, message: "Vault is sealed" });
    }
  });
});

describe("verification of new keys", () => {
  async function agreedKeys() {
    const { store, process, keys } = await newUnsealed();
    await process.rekey.root.start({ ...fiveOfThree, require_verification: true }, true);
    const result = await agree(process, "root", keys.slice(0, 2));
    return { store, process, keys, result, nonce: result.verification_nonce! };
  }

  it("comes before they take effect", async () => {
    const { store, process, keys, result, nonce } = await agreedKeys();
    expect(result).toMatchObject({ complete: true, verification_required: true });
    expect(await process.rekey.root.status()).toMatchObject({ started: true, verification_nonce: nonce });
    await unsealWith(newProcess(store), keys.slice(0, 2));

    const { root } = process.rekey;
    expect(await root.verificationStatus()).toEqual({ nonce, started: true, t: 3, n: 5, progress: 0 });
    expect(await root.verify({ key: result.keys[0], nonce })).toMatchObject({ progress: 1 });
    await root.verify({ key: result.keys[1], nonce });
    expect(await root.verify({ key: result.keys[4], nonce })).toEqual({ nonce, complete: true });
    expect((await root.status()).started).toBe(false);

    const later = newProcess(store);
    await unsealWith(later, result.keys.slice(0, 3));
    expect(later.barrier.isSealed).toBe(false);
  });

  it("refuses other shares and starts again", async () => {
    const { process, keys, result, nonce } = await agreedKeys();
    const { root } = process.rekey;
    await root.verify({ key: result.keys[0], nonce });
    await expect(root.verify({ key: result.keys[0], nonce })).rejects.toThrow("already been provided");
    await expect(root.verify({ key: result.keys[1], nonce: "another" })).rejects.toThrow("incorrect nonce");
    await root.verify({ key: keys[1], nonce });
    await expect(root.verify({ key: result.keys[2], nonce })).rejects.toThrow("rekey verification failed");
    expect((await root.verificationStatus()).progress).toBe(0);
    await expect(root.update({ key: keys[0], nonce })).rejects.toThrow("must be verified");
  });

  it("can be started again under a new nonce", async () => {
    const { process, result, nonce } = await agreedKeys();
    await process.rekey.root.verify({ key: result.keys[0], nonce });
    const status: VerificationStatus = await process.rekey.root.restartVerification();
    expect(status.progress).toBe(0);
    expect(status.nonce).not.toBe(nonce);
    await expect(process.rekey.root.verify({ key: result.keys[0], nonce })).rejects.toThrow("incorrect nonce");
  });

  it("leaves the old keys good when it is called off", async () => {
    const { store, process, keys, result, nonce } = await agreedKeys();
    await process.rekey.root.cancel();
    await expect(process.rekey.root.verify({ key: result.keys[0], nonce })).rejects.toThrow("no barrier rekey");
    const later = newProcess(store);
    await unsealWith(later, keys.slice(0, 2));
    expect(later.barrier.isSealed).toBe(false);
  });

  it("is not there before the new keys are", async () => {
    const { process } = await newUnsealed();
    const { root } = process.rekey;
    await expect(root.verificationStatus()).rejects.toThrow("no barrier rekey in progress");
    await root.start({ ...fiveOfThree, require_verification: true }, true);
    expect(await root.verificationStatus()).toMatchObject({ started: false, nonce: "" });
    await expect(root.verify({ key: "ab", nonce: "" })).rejects.toThrow("no rekey verification in progress");
    await expect(root.restartVerification()).rejects.toThrow("no rekey verification in progress");
  });
});

describe.each([
  ["root", newUnsealed],
  ["recovery", newAutoUnsealed],
] as const)("new %s keys that wait for verification", (target, start) => {
  it("are given up when another process makes others meanwhile", async () => {
    const { store, process: one, keys } = await start();
    const two = newProcess(store, target === "root" ? undefined : newStaticSeal());
    if (target === "root") await unsealWith(two, keys.slice(0, 2));
    else await two.openAutomatically();
    await two.rekey[target].start({ ...fiveOfThree, require_verification: true }, true);
    const late = await agree(two, target, keys.slice(0, 2));
    await one.rekey[target].start({ secret_shares: 3, secret_threshold: 2 }, true);
    const { keys: fresh } = await agree(one, target, keys.slice(0, 2));
    const nonce = late.verification_nonce;
    for (const key of late.keys.slice(0, 2)) await two.rekey[target].verify({ key, nonce });
    await expect(two.rekey[target].verify({ key: late.keys[2], nonce })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("changed by another operation"),
    });
    expect((await two.rekey[target].status()).started).toBe(false);
    await two.rekey[target].start(fiveOfThree, true);
    expect((await agree(two, target, fresh.slice(0, 2))).complete).toBe(true);
  });
});

describe("new recovery keys", () => {
  it("replace the old ones, and authorize what those did", async () => {
    const { store, process, keys } = await newAutoUnsealed();
    await process.rekey.recovery.start(fiveOfThree, true);
    const { keys: fresh } = await agree(process, "recovery", keys.slice(1));
    expect(fresh).toHaveLength(5);
    const later = newProcess(store, newStaticSeal());
    await later.openAutomatically();
    await later.rekey.recovery.start({ secret_shares: 1, secret_threshold: 1 }, true);
    await expect(agree(later, "recovery", keys)).rejects.toThrow("rekey refused");
    expect((await agree(later, "recovery", fresh.slice(0, 3))).keys).toHaveLength(1);
  });

  it("can be verified first", async () => {
    const { process, keys } = await newAutoUnsealed();
    const { recovery } = process.rekey;
    await recovery.start({ secret_shares: 3, secret_threshold: 2, require_verification: true }, true);
    const { keys: fresh, verification_nonce: nonce } = await agree(process, "recovery", keys.slice(0, 2));
    await recovery.verify({ key: fresh[0], nonce });
    expect(await recovery.verify({ key: fresh[2], nonce })).toEqual({ nonce, complete: true });
    await recovery.start(fiveOfThree, true);
    expect((await agree(process, "recovery", fresh.slice(1))).complete).toBe(true);
  });

  it("do not exist under a Shamir seal", async () => {
    const { process } = await newUnsealed();
    await expect(process.rekey.recovery.status()).rejects.toThrow("recovery rekeying not supported");
    await expect(process.rekey.recovery.start(fiveOfThree, true)).rejects.toThrow("recovery rekeying not supported");
  });

  it("authorize a new root key, which has no shares", async () => {
    const { store, process, keys } = await newAutoUnsealed();
    await put(process, store, "a", "kept");
    const before = Buffer.from(process.barrier.keyring.rootKey.key);
    expect(await process.rekey.root.start({}, true)).toMatchObject({ t: 1, n: 1, required: 2 });
    expect(await agree(process, "root", keys.slice(0, 2))).toMatchObject({ complete: true, keys: [] });
    expect(process.barrier.keyring.rootKey.key.equals(before)).toBe(false);
    const later = newProcess(store, newStaticSeal());
    await later.openAutomatically();
    expect(await read(later, store, "a")).toBe("kept");
    await expect(process.rekey.root.start({ require_verification: true }, true)).rejects.toThrow("no new shares");
  });
});

describe("the first recovery keys", () => {
  async function withoutRecovery() {
    const process = newProcess(new MemoryStore(), newStaticSeal());
    await process.initialize({});
    await process.openAutomatically();
    return process;
  }

  it("are made at once for who needs no shares", async () => {
    const process = await withoutRecovery();
    const result = (await process.rekey.recovery.start({ secret_shares: 3, secret_threshold: 2 }, true)) as RekeyResult;
    expect(result).toMatchObject({ complete: true });
    expect((await process.rekey.recovery.status()).required).toBe(2);
    await process.rekey.recovery.start({ secret_shares: 1, secret_threshold: 1 }, true);
    expect((await agree(process, "recovery", result.keys.slice(1))).keys).toHaveLength(1);
  });

  it("are not made for anybody else", async () => {
    const process = await withoutRecovery();
    const message = "this server has no recovery key";
    await expect(process.rekey.recovery.start(fiveOfThree, false)).rejects.toThrow(message);
    await expect(process.rekey.root.start({}, true)).rejects.toThrow(message);
    await expect(process.generateRoot.start({})).rejects.toThrow(message);
  });
});
