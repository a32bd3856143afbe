import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newKey } from "./key-material.ts";
import { Keyring } from "./keyring.ts";
import { changedRotation, defaultRotation } from "./rotation-settings.ts";

const random = { bytes: (count: number) => randomBytes(count) };
const newRootKey = () => ({ generation: 1, key: newKey(random) });

const sealConfig = { type: "shamir", unseal: { shares: 3, threshold: 2 }, recovery: { shares: 0, threshold: 0 } };

function usedKeyring() {
  const keyring = Keyring.create(newRootKey(), sealConfig, newKey(random), 1000);
  keyring.add(newKey(random), 2000);
  keyring.terms.get(1)!.saved = 7;
  keyring.rotation = { enabled: false, max_operations: 2_000_000, interval: 90_000 };
  return keyring;
}

const keysOf = (keyring: Keyring) => [...keyring.terms.values()].map(({ key }) => key.toString("hex"));

describe("a keyring", () => {
  it("is the same after it was stored", () => {
    const keyring = usedKeyring();
    const parsed = Keyring.parse(keyring.serialize(), keyring.rootKey);
    expect(parsed).toEqual(keyring);
    expect(keysOf(parsed)).toEqual(keysOf(keyring));
    expect(parsed.active.term).toBe(2);
  });

  it("is not read when a later version wrote it", () => {
    const bytes = usedKeyring().serialize();
    bytes.write('"format":2', bytes.indexOf('"format":1'));
    expect(() => Keyring.parse(bytes, newRootKey())).toThrow("the keyring has format 2, and this version reads 1");
  });

  it("survives the wiping of its copy", () => {
    const keyring = usedKeyring();
    const keys = keysOf(keyring);
    keyring.copy().wipe();
    expect(keysOf(keyring)).toEqual(keys);
    expect(keyring.rootKey.key.every((byte) => byte === 0)).toBe(false);
  });

  it("hands on what was counted and not saved", () => {
    const keyring = usedKeyring();
    keyring.active.unsaved = 3;
    const successor = keyring.copy();
    successor.add(newKey(random), 3000);
    keyring.handOver(successor);
    expect([...successor.terms.values()].map(({ saved, unsaved }) => [saved, unsaved])).toEqual([
      [7, 0],
      [0, 3],
      [0, 0],
    ]);
    expect(keyring.terms.size).toBe(0);
  });
});

describe("rotation settings", () => {
  it.each([
    [{ max_operations: 1_000_000 }, { ...defaultRotation, max_operations: 1_000_000 }],
    [{ interval: 86_400 }, { ...defaultRotation, interval: 86_400 }],
    [
      { interval: 0, enabled: false },
      { ...defaultRotation, enabled: false },
    ],
  ])("take %j", (change, settings) => {
    expect(changedRotation(defaultRotation, change)).toEqual(settings);
  });

  it.each([
    [{ max_operations: 999_999 }, "max_operations must be between 1000000 and 3865470566, not 999999"],
    [{ max_operations: 3_865_470_567 }, "max_operations must be between 1000000 and 3865470566, not 3865470567"],
    [{ max_operations: 1_000_000.5 }, "max_operations must be between"],
    [{ interval: 86_399 }, "interval must be 0 (never) or at least 24 hours, not 86399 seconds"],
    [{ interval: -1 }, "interval must be 0 (never) or at least 24 hours"],
  ])("refuse %j", (change, message) => {
    expect(() => changedRotation(defaultRotation, change)).toThrow(message);
  });
});
