import { afterEach, describe, expect, it } from "vitest";
import { kindOf } from "../../lib/x509/key.ts";
import { KeyPool } from "./key-pool.ts";

describe("a pool of keys", () => {
  const pool = new KeyPool();
  afterEach(() => pool.stop());

  it.each([
    { type: "rsa", bits: 2048 },
    { type: "ec", bits: 384 },
    { type: "ed25519", bits: 0 },
    { type: "ml-dsa", bits: 65 },
  ] as const)("makes keys of $type, $bits", async (kind) => {
    expect(kindOf(await pool.take(kind))).toEqual(kind);
  });

  it("gives no key twice, however many ask at once", async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => pool.take({ type: "rsa", bits: 2048 })));
    const shown = keys.map((key) => key.export({ type: "pkcs8", format: "der" }).toString("base64"));
    expect(new Set(shown).size).toBe(4);
  });
});
