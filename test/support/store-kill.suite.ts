/** What must hold when a process that writes is killed at any moment. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/core/storage/store.ts";
import { batch, text } from "../../src/core/storage/store-case.suite.ts";
import { StoreProcess } from "./store-process.ts";
import type { SharedStore } from "./store-sharing.suite.ts";

export function testKills({ kind, missing, prepare, open }: SharedStore, kills: number): void {
  describe(`a store of type ${kind}`, () => {
    let data: Awaited<ReturnType<SharedStore["prepare"]>>;
    /** Open all the time, as another process of the same server would have it. */
    let bystander: Store;
    beforeAll(async () => {
      if (missing !== undefined) return;
      data = await prepare();
      bystander = await open(data.address);
    });
    beforeEach(({ skip }) => skip(missing !== undefined, missing));
    afterAll(async () => {
      await bystander?.close();
      await data?.destroy();
    });

    it(`keeps all that was acknowledged and nothing by halves when its writers are killed, ${kills} times`, async () => {
      const survivor = await StoreProcess.start(kind, data.address);
      const acknowledged = new Set<string>();
      const note = (base: unknown) => acknowledged.add(base as string);
      survivor.onTold = note;
      survivor.ask({ do: "flood", prefix: "survivor", inFlight: 1 }).catch(() => {});
      for (let kill = 0; kill < kills; kill++) {
        const victim = await StoreProcess.start(kind, data.address);
        victim.onTold = note;
        victim.ask({ do: "flood", prefix: `victim-${kill}`, inFlight: 32 }).catch(() => {});
        await setTimeout(20 + ((kill * 37) % 180));
        await victim.kill();
        await bystander.commit(batch({ puts: { bystander: String(kill) } }));
        await bystander.commit(batch({ deletes: await findIn(bystander, `victim-${kill}`, acknowledged) }));
      }
      await survivor.kill();
      expect(await text(bystander, "bystander")).toBe(String(kills - 1));
      const last = await StoreProcess.start(kind, data.address);
      await last.ask({ do: "increment", key: "after", times: 1 });
      await last.close();
      expect(await findIn(bystander, "survivor", acknowledged)).not.toEqual([]);
    });
  });
}

/** The keys below a prefix, after making sure that none is missing that was acknowledged, and that triples are whole. */
async function findIn(store: Store, prefix: string, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const folders = (await store.list(`${prefix}/`)).map((name) => `${prefix}/${name}`);
  const found = new Set(folders.map((folder) => folder.slice(0, -1)));
  const due = [...acknowledged].filter((base) => base.startsWith(`${prefix}/`));
  expect(due.filter((base) => !found.has(base))).toEqual([]);
  const keys: string[] = [];
  for (let index = 0; index < folders.length; index += 100) {
    const triples = folders.slice(index, index + 100).map((folder) => findTriple(store, prefix, folder));
    keys.push(...(await Promise.all(triples)).flat());
  }
  return keys;
}

async function findTriple(store: Store, prefix: string, folder: string): Promise<string[]> {
  const keys = ["a", "b", "c"].map((name) => folder + name);
  const values = await Promise.all(keys.map((key) => text(store, key)));
  const [lane, number] = folder.slice(prefix.length + 1, -1).split("-");
  expect(values[0]?.startsWith(`${lane} ${number} `), folder).toBe(true);
  expect(new Set(values).size, folder).toBe(1);
  return keys;
}
