/** What every seal must hold. */
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Seal, SealRefused } from "./seal.ts";

export interface SealCase {
  readonly name: string;
  /** A seal, another process's copy of it, and one that has a different key. */
  make(): { readonly seal: Seal; readonly twin: Seal; readonly stranger: Seal };
}

export function testSeal({ name, make }: SealCase): void {
  describe(`the ${name} seal`, () => {
    const rootKey = randomBytes(32);

    it("unwraps what it wrapped, also in another process", async () => {
      const { seal, twin } = make();
      const wrapped = await seal.wrap(rootKey, "purpose");
      expect(await seal.unwrap(wrapped, "purpose")).toEqual({ rootKey, isOutdated: false });
      expect(await twin.unwrap(wrapped, "purpose")).toEqual({ rootKey, isOutdated: false });
    });

    it("shows nothing of the root key, and never wraps it the same way twice", async () => {
      const { seal } = make();
      const [first, second] = [await seal.wrap(rootKey, "purpose"), await seal.wrap(rootKey, "purpose")];
      expect(Buffer.from(first.bytes).includes(rootKey.subarray(0, 8))).toBe(false);
      expect(first.bytes).not.toEqual(second.bytes);
    });

    it("does not unwrap with another key", async () => {
      const { seal, stranger } = make();
      await expect(stranger.unwrap(await seal.wrap(rootKey, "purpose"), "purpose")).rejects.toThrow(SealRefused);
    });

    it("does not unwrap for another purpose", async () => {
      const { seal } = make();
      await expect(seal.unwrap(await seal.wrap(rootKey, "purpose"), "another")).rejects.toThrow(SealRefused);
    });

    it("does not unwrap altered or cut bytes", async () => {
      const { seal } = make();
      const wrapped = await seal.wrap(rootKey, "purpose");
      // The first byte is the format, known beforehand and therefore not read.
      for (let index = 1; index < wrapped.bytes.length; index += 1) {
        const bytes = Buffer.from(wrapped.bytes);
        bytes[index]! ^= 1;
        await expect(seal.unwrap({ ...wrapped, bytes }, "purpose"), `byte ${index}`).rejects.toThrow(SealRefused);
      }
      for (const length of [0, 1, 28, 29, wrapped.bytes.length - 1]) {
        const bytes = wrapped.bytes.subarray(0, length);
        await expect(seal.unwrap({ ...wrapped, bytes }, "purpose"), `length ${length}`).rejects.toThrow(SealRefused);
      }
    });

    it("does not unwrap under another key's name", async () => {
      const { seal } = make();
      const wrapped = await seal.wrap(rootKey, "purpose");
      if (wrapped.key_id === "") return;
      await expect(seal.unwrap({ ...wrapped, key_id: "another" }, "purpose")).rejects.toThrow(SealRefused);
    });
  });
}
