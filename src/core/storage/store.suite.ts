/** What every store must hold. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testPages } from "./key.suite.ts";
import { testLeads } from "./lead.suite.ts";
import { Conflict, KeyMalformed, KeyTooLong, type Store, StoreUnavailable, type Version } from "./store.ts";
import { batch, Follower, incrementBy, type StoreCase, type StoreData, text } from "./store-case.suite.ts";

export function testStore(storeCase: StoreCase): void {
  describe(`the ${storeCase.name} store`, () => {
    beforeEach(({ skip }) => skip(storeCase.missing !== undefined, storeCase.missing));
    let data: StoreData;
    let store: Store;
    beforeAll(async () => {
      if (storeCase.missing !== undefined) return;
      data = await storeCase.prepare();
      store = await data.open();
    });
    afterAll(async () => {
      await store?.close();
      await data?.destroy();
    });
    const put = (key: string, value: string) => store.commit(batch({ puts: { [key]: value } }));

    describe("entries", () => {
      it("gives back what was put, byte for byte", async () => {
        const value = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
        for (const bytes of [value, Buffer.alloc(0), Buffer.alloc(1_500_000, "x")]) {
          await store.commit({ expect: new Map(), puts: new Map([["entry/bytes", bytes]]), deletes: new Set() });
          expect(Buffer.from((await store.get("entry/bytes"))!.value).equals(bytes)).toBe(true);
        }
      });

      it("does not let go of a value when others are read", async () => {
        await store.commit(batch({ puts: { "entry/one": "one", "entry/two": "two" } }));
        const one = await store.get("entry/one");
        await store.get("entry/two");
        expect(Buffer.from(one!.value).toString()).toBe("one");
      });

      it("knows nothing of what was never put or was deleted", async () => {
        expect(await store.get("entry/never")).toBeUndefined();
        await put("entry/gone", "x");
        await store.commit(batch({ deletes: ["entry/gone", "entry/never"] }));
        expect(await store.get("entry/gone")).toBeUndefined();
      });

      it("puts a key that the same batch deletes", async () => {
        await put("entry/both", "old");
        await store.commit(batch({ puts: { "entry/both": "new" }, deletes: ["entry/both"] }));
        expect(await text(store, "entry/both")).toBe("new");
      });

      it("gives every write of a key another version, also after a deletion", async () => {
        const versions = new Set<Version>();
        for (let round = 0; round < 5; round++) {
          await put("entry/versions", "same");
          versions.add((await store.get("entry/versions"))!.version);
          if (round % 2 === 1) await store.commit(batch({ deletes: ["entry/versions"] }));
        }
        expect(versions.size).toBe(5);
      });

      it.each([
        "entry/ä",
        "entry/\u{10348}",
        "entry/\uE000",
        "entry/\0",
        "entry/ space",
        "entry//empty",
        "entry/%2F'\"\\",
        "entry/",
        "/",
      ])("takes the key %j", async (key) => {
        await put(key, key);
        expect(await text(store, key)).toBe(key);
        await store.commit(batch({ deletes: [key] }));
        expect(await text(store, key)).toBeUndefined();
      });

      it("takes keys up to its limit, and refuses longer ones by name", async () => {
        const longest = "ä".repeat(store.maxKeyBytes / 2);
        await put(longest, "x");
        expect(await text(store, longest)).toBe("x");
        await store.commit(batch({ deletes: [longest] }));
        const longer = `${longest}a`;
        for (const attempt of [put(longer, "x"), store.get(longer), store.list(`${longer}/`)]) {
          await expect(attempt).rejects.toThrow(KeyTooLong);
        }
        await expect(put(longer, "x")).rejects.toThrow(`${store.maxKeyBytes + 1} bytes`);
      });

      it.each(["", "half \ud800 of a pair"])("refuses the key %j, which would not come back as it was", async (key) => {
        await expect(put(key, "x")).rejects.toThrow(KeyMalformed);
        await expect(store.commit(batch({ deletes: [key] }))).rejects.toThrow(KeyMalformed);
        await expect(store.get(key)).rejects.toThrow(KeyMalformed);
      });
    });

    describe("expectations", () => {
      const state = async () => {
        await store.commit(batch({ puts: { "c/there": "1", "c/old": "1" }, deletes: ["c/none", "c/gone"] }));
        const old = (await store.get("c/old"))!.version;
        await put("c/gone", "1");
        const gone = (await store.get("c/gone"))!.version;
        await store.commit(batch({ puts: { "c/old": "2" }, deletes: ["c/gone"] }));
        return { there: (await store.get("c/there"))!.version, old, gone };
      };

      it("applies the batch when they hold", async () => {
        const { there } = await state();
        const expected = { "c/there": there, "c/none": undefined, "c/gone": undefined };
        await store.commit(batch({ expect: expected, puts: { "c/there": "2", "c/none": "1" }, deletes: ["c/old"] }));
        expect([await text(store, "c/there"), await text(store, "c/none")]).toEqual(["2", "1"]);
        expect(await text(store, "c/old")).toBeUndefined();
      });

      const wrong: [string, string, (versions: { there: Version; old: Version; gone: Version }) => object][] = [
        ["a key that exists should not", "c/there", () => ({ "c/there": undefined })],
        ["a key that was rewritten should be as before", "c/old", ({ old }) => ({ "c/old": old })],
        ["a key that was deleted should be as before", "c/gone", ({ gone }) => ({ "c/gone": gone })],
        ["a key that never was should be", "c/none", ({ there }) => ({ "c/none": there })],
        ["only the second of two holds", "c/old", ({ there, old }) => ({ "c/old": old, "c/there": there })],
        ["only the first of two holds", "c/old", ({ there, old }) => ({ "c/there": there, "c/old": old })],
      ];
      it.each(wrong)("changes nothing when %s", async (_, key, expected) => {
        const versions = await state();
        const { at } = await store.changes(undefined);
        const puts = { "c/there": "changed", "c/new": "changed" };
        const commit = store.commit(batch({ expect: { ...expected(versions) }, puts, deletes: ["c/old"] }));
        await expect(commit).rejects.toThrow(Conflict);
        await expect(commit).rejects.toMatchObject({ key });
        const after = [await text(store, "c/there"), await text(store, "c/new"), await text(store, "c/old")];
        expect(after).toEqual(["1", undefined, "2"]);
        expect((await store.changes(at)).keys).toEqual([]);
      });

      it("checks them also when there is nothing to write, and then changes no point in history", async () => {
        const { there } = await state();
        const { at } = await store.changes(undefined);
        await store.commit(batch({ expect: { "c/there": there } }));
        await expect(store.commit(batch({ expect: { "c/there": undefined } }))).rejects.toThrow(Conflict);
        expect((await store.changes(at)).keys).toEqual([]);
      });

      it("hurts only the one whose expectation is wrong among many that commit at once", async () => {
        const keys = Array.from({ length: 60 }, (_, index) => `c/many/${index}`);
        const outcomes = await Promise.allSettled(
          keys.map((key, index) =>
            store.commit(batch({ expect: index % 3 === 0 ? { "c/there": undefined } : {}, puts: { [key]: "x" } })),
          ),
        );
        const stored = await Promise.all(keys.map(async (key) => (await store.get(key)) !== undefined));
        expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(keys.map((_, index) => index % 3 !== 0));
        expect(stored).toEqual(keys.map((_, index) => index % 3 !== 0));
      });
    });

    describe("races", () => {
      it("loses no increment", async () => {
        await Promise.all(Array.from({ length: 8 }, () => incrementBy(store, "race/counter", 20)));
        expect(await text(store, "race/counter")).toBe("160");
      });

      it("loses none among changes of many keys either", async () => {
        const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`race/many/${index}`, "x"]));
        await Promise.all([
          ...Array.from({ length: 3 }, () => incrementBy(store, "race/among", 10)),
          ...Array.from({ length: 2 }, () => incrementBy(store, "race/among", 5, many)),
        ]);
        expect(await text(store, "race/among")).toBe("40");
      });

      it("does not let two writers each go by what the other one changes", async () => {
        for (let round = 0; round < 20; round++) {
          const [a, b] = [`race/skew/${round}/a`, `race/skew/${round}/b`];
          const both = { [a]: undefined, [b]: undefined };
          const outcomes = await Promise.allSettled([
            store.commit(batch({ expect: both, puts: { [a]: "x" } })),
            store.commit(batch({ expect: both, puts: { [b]: "x" } })),
          ]);
          expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        }
      });

      it("shows a batch as a whole or not at all", async () => {
        const keys = Array.from({ length: 5 }, (_, index) => `race/whole/${index}`);
        let isDone = false;
        const write = async () => {
          for (let round = 1; round <= 60; round++) {
            await store.commit(batch({ puts: Object.fromEntries(keys.map((key) => [key, String(round)])) }));
          }
          isDone = true;
        };
        const read = async () => {
          while (!isDone) {
            const values: number[] = [];
            for (const key of keys) values.push(Number(await text(store, key)));
            expect(values).toEqual(values.toSorted((a, b) => a - b));
            await new Promise(setImmediate);
          }
        };
        await Promise.all([write(), read()]);
      });
    });

    describe("changes", () => {
      it("names the keys that were written or deleted since", async () => {
        await put("f/old", "x");
        const { at: first, keys } = await store.changes(undefined);
        expect(keys).toEqual([]);
        await store.commit(batch({ puts: { "f/a": "1", "f/b": "1" }, deletes: ["f/old"] }));
        const { at: second } = await store.changes(first);
        await put("f/ä", "2");
        expect((await store.changes(first)).keys).toEqual(expect.arrayContaining(["f/a", "f/b", "f/old", "f/ä"]));
        expect((await store.changes(second)).keys).toContain("f/ä");
        const { at: third } = await store.changes(second);
        expect((await store.changes(third)).keys).toEqual([]);
      });

      it("covers every commit that was acknowledged before, while others are under way", async () => {
        const keys = Array.from({ length: 12 }, (_, index) => `f/race/${index}`);
        const acknowledged = new Map<string, number>();
        let writing = 4;
        const write = async (writer: number) => {
          for (let round = 1; round <= 60; round++) {
            const key = keys[writer * 3 + (round % 3)]!;
            await store.commit(batch({ puts: { [key]: String(round) } }));
            acknowledged.set(key, round);
          }
          writing--;
        };
        const follow = async () => {
          const follower = new Follower(store);
          for (let isLast = false; !isLast; ) {
            isLast = writing === 0;
            const known = new Map(acknowledged);
            await follower.check();
            for (const [key, round] of known) {
              expect(Number(await follower.read(key))).toBeGreaterThanOrEqual(round);
            }
            await new Promise(setImmediate);
          }
        };
        await Promise.all([write(0), write(1), write(2), write(3), follow(), follow()]);
      });

      it("says when it cannot tell any more", async () => {
        const fresh = await storeCase.prepare();
        const small = await fresh.open({ history: 16 });
        try {
          const { at: before } = await small.changes(undefined);
          for (let round = 0; round < 15; round++) await small.commit(batch({ puts: { key: String(round) } }));
          expect((await small.changes(before)).keys).toEqual(["key"]);
          for (let round = 0; round < 60; round++) await small.commit(batch({ puts: { key: String(round) } }));
          const { at, keys } = await small.changes(before);
          expect(keys).toBeUndefined();
          await small.commit(batch({ puts: { other: "x" } }));
          expect((await small.changes(at)).keys).toEqual(["other"]);
        } finally {
          await small.close();
          await fresh.destroy();
        }
      });

      it("cannot tell from a point that it never gave", async () => {
        const { at } = await store.changes("999999999999999");
        expect((await store.changes("999999999999999")).keys).toBeUndefined();
        expect((await store.changes("nonsense")).keys).toBeUndefined();
        expect((await store.changes(at)).keys).toEqual([]);
      });
    });

    testPages(() => store);
    testLeads(storeCase);

    describe("its end", () => {
      it("keeps what was committed, for the one who opens it next", async () => {
        const fresh = await storeCase.prepare();
        if (!fresh.isShared) return;
        try {
          const first = await fresh.open();
          await first.commit(batch({ puts: { "kept/a": "1", "kept/b": "1" } }));
          const { at } = await first.changes(undefined);
          await first.commit(batch({ puts: { "kept/b": "2" } }));
          const entry = await first.get("kept/b");
          await first.close();
          const second = await fresh.open();
          expect(await second.get("kept/b")).toEqual(entry);
          expect((await second.changes(at)).keys).toEqual(["kept/b"]);
          await second.commit(batch({ expect: { "kept/b": entry!.version }, puts: { "kept/b": "3" } }));
          expect(await second.list("kept/")).toEqual(["a", "b"]);
          await second.close();
        } finally {
          await fresh.destroy();
        }
      });

      it("finishes the commits that are under way, and takes nothing afterwards", async () => {
        const fresh = await storeCase.prepare();
        try {
          const closing = await fresh.open();
          const commits = Array.from({ length: 10 }, (_, index) =>
            closing.commit(batch({ puts: { [`k${index}`]: "x" } })),
          );
          await Promise.all([closing.close(), ...commits]);
          await closing.close();
          for (const attempt of [
            closing.get("k1"),
            closing.list(""),
            closing.changes(undefined),
            closing.commit(batch({ puts: { k1: "y" } })),
            closing.lead("x", async () => {}, new AbortController().signal),
          ]) {
            await expect(attempt).rejects.toThrow(StoreUnavailable);
          }
        } finally {
          await fresh.destroy();
        }
      });
    });
  });
}
