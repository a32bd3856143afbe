import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testSeal } from "./seal.suite.ts";
import { ShamirSeal } from "./shamir-seal.ts";
import { StaticSeal } from "./static-seal.ts";

const random = { bytes: (count: number) => randomBytes(count) };

testSeal({
  name: "Shamir",
  make() {
    const key = randomBytes(32);
    return {
      seal: new ShamirSeal(key, random),
      twin: new ShamirSeal(Buffer.from(key), random),
      stranger: new ShamirSeal(randomBytes(32), random),
    };
  },
});

testSeal({
  name: "static",
  make() {
    const key = randomBytes(32);
    return {
      seal: new StaticSeal(random, { id: "one", key }),
      twin: new StaticSeal(random, { id: "one", key: Buffer.from(key) }, { id: "zero", key: randomBytes(32) }),
      stranger: new StaticSeal(random, { id: "one", key: randomBytes(32) }),
    };
  },
});

describe("the static seal's change of keys", () => {
  const rootKey = randomBytes(32);
  const one = { id: "one", key: randomBytes(32) };
  const two = { id: "two", key: randomBytes(32) };

  it("opens with the previous key and says that it is outdated", async () => {
    const wrapped = await new StaticSeal(random, one).wrap(rootKey, "purpose");
    expect(await new StaticSeal(random, two, one).unwrap(wrapped, "purpose")).toEqual({ rootKey, isOutdated: true });
  });

  it("names the keys when the right one is not there", async () => {
    const wrapped = await new StaticSeal(random, one).wrap(rootKey, "purpose");
    await expect(new StaticSeal(random, two).unwrap(wrapped, "purpose")).rejects.toThrow(
      'this store\'s root key was wrapped by the static key "one", and the configuration has "two"',
    );
  });

  it("says so when the id is right and the key is not", async () => {
    const wrapped = await new StaticSeal(random, one).wrap(rootKey, "purpose");
    const impostor = new StaticSeal(random, { id: "one", key: randomBytes(32) });
    await expect(impostor.unwrap(wrapped, "purpose")).rejects.toThrow("a different key under the same id");
  });
});
