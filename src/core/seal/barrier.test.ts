import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { AlteredEntry, Barrier, UnknownTerm } from "./barrier.ts";
import { newKey } from "./key-material.ts";
import { Keyring } from "./keyring.ts";
import { noQuorum } from "./seal-config.ts";

const random = { bytes: (count: number) => randomBytes(count) };
const text = (value: Uint8Array) => Buffer.from(value).toString();
const sealConfig = { type: "static", unseal: noQuorum, recovery: noQuorum };
const newKeyring = () => Keyring.create({ generation: 1, key: newKey(random) }, sealConfig, newKey(random), 0);

let keyring: Keyring;
let barrier: Barrier;
beforeEach(() => {
  keyring = newKeyring();
  barrier = new Barrier(random);
  barrier.open(keyring);
});

describe("the barrier", () => {
  it("gives back what was written, under any key and with any bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.uint8Array({ maxLength: 2000 }), (key, value) => {
        expect(new Uint8Array(barrier.decrypt(key, barrier.encrypt(key, value)))).toEqual(value);
      }),
    );
  });

  it("reads a value from inside a larger buffer, as stores may hand it out", () => {
    const stored = barrier.encrypt("a", Buffer.from("value"));
    const larger = Buffer.concat([Buffer.from("xyz"), stored, Buffer.from("xyz")]);
    expect(text(barrier.decrypt("a", larger.subarray(3, 3 + stored.length)))).toBe("value");
  });

  it("writes term, format, nonce, ciphertext and tag", () => {
    const stored = Buffer.from(barrier.encrypt("a", Buffer.from("value")));
    expect(stored.length).toBe(4 + 1 + 12 + 5 + 16);
    expect(stored.subarray(0, 5).toString("hex")).toBe("0000000101");
  });

  it("never uses a nonce twice, beyond many draws", () => {
    const seen = new Set<string>();
    for (let count = 0; count < 2000; count += 1) {
      seen.add(Buffer.from(barrier.encrypt("a", Buffer.of())).toString("hex", 5, 17));
    }
    expect(seen.size).toBe(2000);
  });

  it("refuses an entry that was moved to another key", () => {
    const stored = barrier.encrypt("a/b", Buffer.from("value"));
    expect(() => barrier.decrypt("a/c", stored)).toThrow(AlteredEntry);
    expect(() => barrier.decrypt("a/c", stored)).toThrow(
      'the stored entry "a/c" was altered or moved: it does not decrypt under its own path',
    );
  });

  it("refuses every flipped bit and every cut", () => {
    const stored = barrier.encrypt("a", Buffer.from("value"));
    for (let bit = 0; bit < stored.length * 8; bit += 1) {
      const flipped = Buffer.from(stored);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => barrier.decrypt("a", flipped), `bit ${bit}`).toThrow(bit < 32 ? UnknownTerm : AlteredEntry);
    }
    for (let length = 0; length < stored.length; length += 1) {
      expect(() => barrier.decrypt("a", stored.subarray(0, length)), `length ${length}`).toThrow(AlteredEntry);
    }
    expect(() => barrier.decrypt("a", Buffer.concat([stored, Buffer.of(0)]))).toThrow(AlteredEntry);
  });

  it("refuses an entry passed off as one of another term", () => {
    const stored = Buffer.from(barrier.encrypt("a", Buffer.from("value")));
    keyring.add(newKey(random), 1);
    stored[3] = 2;
    expect(() => barrier.decrypt("a", stored)).toThrow(AlteredEntry);
  });

  it("writes with the newest term, reads with all, and counts by term", () => {
    const before = barrier.encrypt("a", Buffer.from("old"));
    keyring.add(newKey(random), 1);
    const after = barrier.encrypt("a", Buffer.from("new"));
    expect([before[3], after[3]]).toEqual([1, 2]);
    expect([text(barrier.decrypt("a", before)), text(barrier.decrypt("a", after))]).toEqual(["old", "new"]);
    expect([...keyring.terms.values()].map(({ unsaved }) => unsaved)).toEqual([1, 1]);
  });

  it("tells which term it does not know", () => {
    keyring.add(newKey(random), 1);
    const stored = barrier.encrypt("a", Buffer.from("value"));
    const behind = new Barrier(random);
    behind.open(newKeyring());
    expect(() => behind.decrypt("a", stored)).toThrow(expect.objectContaining({ name: "UnknownTerm", term: 2 }));
  });

  it("does nothing while sealed, and has overwritten every key", () => {
    keyring.add(newKey(random), 1);
    const keys = [keyring.rootKey.key, ...[...keyring.terms.values()].map(({ key }) => key)];
    const stored = barrier.encrypt("a", Buffer.from("value"));
    barrier.close();
    expect(barrier.isSealed).toBe(true);
    expect(() => barrier.decrypt("a", stored)).toThrow("Vault is sealed");
    expect(() => barrier.encrypt("a", Buffer.from("value"))).toThrow("Vault is sealed");
    expect(keys.map((key) => key.every((byte) => byte === 0))).toEqual([true, true, true]);
    barrier.close();
  });
});
