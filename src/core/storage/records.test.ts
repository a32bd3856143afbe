import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Barrier } from "../seal/barrier.ts";
import { Keyring } from "../seal/keyring.ts";
import { MemoryStore } from "./memory.ts";
import { Records } from "./records.ts";

const quorum = { shares: 1, threshold: 1 };
const sealConfig = { type: "shamir", unseal: quorum, recovery: quorum };

/** Two processes on one store. */
function twoProcesses() {
  const store = new MemoryStore();
  const random = { bytes: (count: number) => randomBytes(count) };
  const [root, first] = [randomBytes(32), randomBytes(32)];
  const open = () => {
    const barrier = new Barrier(random);
    barrier.open(Keyring.create({ generation: 1, key: Buffer.from(root) }, sealConfig, Buffer.from(first), 0));
    return new Records(store, barrier, async () => {});
  };
  return [open(), open()] as const;
}

const text = (value: string) => Buffer.from(value);
const shown = (value: Uint8Array | undefined) => value && Buffer.from(value).toString();

test("one attempt sees one version of a key, whatever others do meanwhile", async () => {
  const [here, there] = twoProcesses();
  await here.transaction(async (storage) => storage.put("a", text("1")));
  const seen: (string | undefined)[] = [];
  await here.transaction(async (storage) => {
    seen.push(shown(await storage.get("a")));
    if (seen.length === 1) {
      await there.transaction(async (other) => other.put("a", text("2")));
      // Another request in this process notices the change, and the cache forgets the old version.
      await here.transaction((other) => other.get("a"));
    }
    seen.push(shown(await storage.get("a")));
    storage.put("b", text("x"));
  });
  expect(seen).toEqual(["1", "1", "2", "2"]);
});

test("a refusal that rests on what is no longer true is no refusal", async () => {
  const [here, there] = twoProcesses();
  let attempts = 0;
  const answer = await here.transaction(async (storage) => {
    attempts += 1;
    const found = await storage.get("a");
    if (attempts === 1) await there.transaction(async (other) => other.put("a", text("1")));
    if (!found) throw new Error("there is no a");
    return shown(found);
  });
  expect(answer).toBe("1");
  expect(attempts).toBe(2);
});

test("a refusal that rests on what is true is one, at once", async () => {
  const [here] = twoProcesses();
  let attempts = 0;
  const refused = here.transaction(async (storage) => {
    attempts += 1;
    if (!(await storage.get("a"))) throw new Error("there is no a");
  });
  await expect(refused).rejects.toThrow("there is no a");
  expect(attempts).toBe(1);
});

test("what has reached outside is not done again, even if its reading is stale", async () => {
  const [here, there] = twoProcesses();
  let attempts = 0;
  const failed = here.transaction(async (storage) => {
    attempts += 1;
    await storage.get("a");
    await storage.finish();
    await there.transaction(async (other) => other.put("a", text("1")));
    throw new Error("the outside world said no");
  });
  await expect(failed).rejects.toThrow("the outside world said no");
  expect(attempts).toBe(1);
});

test("racing increments lose nothing, in one process and in two", async () => {
  const [here, there] = twoProcesses();
  const increment = (records: Records) =>
    records.transaction(async (storage) =>
      storage.put("n", text(String(Number(shown(await storage.get("n")) ?? 0) + 1))),
    );
  await Promise.all(Array.from({ length: 60 }, (_, index) => increment(index % 2 ? here : there)));
  expect(shown(await here.transaction((storage) => storage.get("n")))).toBe("60");
});
