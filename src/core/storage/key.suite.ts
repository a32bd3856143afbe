/** What every store must hold when it lists names page by page. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "./store.ts";

/** Neighbors of the slash, of each other, of the end of a byte and of a UTF-16 surrogate; and no name at all. */
const names = ["", "a", "a-", "a0", "a\0", "b", "é", "ÿ", "\u07ff", "\ue000", "\uffff", "\u{10348}", "%", " ", "."];
const name = fc.constantFrom(...names);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

/** What the contract says, without any thought of speed. */
function namesBelow(
  keys: readonly string[],
  prefix: string,
  after: string | undefined,
  limit: number | undefined,
): string[] {
  const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const found = new Set(below.map((rest) => (rest.includes("/") ? rest.slice(0, rest.indexOf("/") + 1) : rest)));
  const bytes = (text: string) => Buffer.from(text);
  return [...found]
    .filter((each) => after === undefined || Buffer.compare(bytes(each), bytes(after)) > 0)
    .sort((one, other) => Buffer.compare(bytes(one), bytes(other)))
    .slice(0, limit);
}

export function testPages(store: () => Store): void {
  describe("pages", () => {
    let run = 0;
    const fill = async (keys: readonly string[]): Promise<string> => {
      const base = `pages/${run++}/`;
      const puts = new Map(keys.map((key) => [base + key, Buffer.from("x")]));
      await store().commit({ expect: new Map(), puts, deletes: new Set() });
      return base;
    };

    const keys = ["a", "a/x", "a/y/z", "a-", "b/x", "c"];
    const cases: [string, { after?: string; limit?: number }, string[]][] = [
      ["all", {}, ["a", "a-", "a/", "b/", "c"]],
      ["none", { limit: 0 }, []],
      ["the first two", { limit: 2 }, ["a", "a-"]],
      ["the next two", { after: "a-", limit: 2 }, ["a/", "b/"]],
      ["after a folder, not into it", { after: "a/" }, ["b/", "c"]],
      ["after something in a folder", { after: "a/y" }, ["b/", "c"]],
      ["after a name that does not exist", { after: "aa" }, ["b/", "c"]],
      ["after a folder named without its slash", { after: "b" }, ["b/", "c"]],
      ["after the last", { after: "c" }, []],
      ["after nothing", { after: "" }, ["a", "a-", "a/", "b/", "c"]],
      ["after more than a key can hold", { after: `a${"z".repeat(5000)}` }, ["b/", "c"]],
    ];
    it.each(cases)("lists %s", async (_, page, expected) => {
      const base = await fill(keys);
      expect(await store().list(base, page)).toEqual(expected);
    });

    it("lists nothing below a prefix that holds nothing", async () => {
      expect(await store().list("pages/never/")).toEqual([]);
    });

    it("goes on behind a name that is as long as can be", async () => {
      const base = await fill([]);
      const longest = "m".repeat(store().maxKeyBytes - base.length);
      const puts = new Map([longest, "n"].map((name) => [base + name, Buffer.from("x")]));
      await store().commit({ expect: new Map(), puts, deletes: new Set() });
      expect(await store().list(base)).toEqual([longest, "n"]);
      for (const after of [longest, `${longest}0`, `${longest}/`])
        expect(await store().list(base, { after })).toEqual(["n"]);
    });

    it("lists the top", async () => {
      await fill(["x"]);
      expect(await store().list("")).toContain("pages/");
    });

    it("refuses a prefix that does not end in a slash", async () => {
      await expect(store().list("pages")).rejects.toThrow(/ends in "\/"/);
    });

    it("lists as the contract says, whatever the names", async () => {
      const runs = fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 25 }),
        fc.array(fc.record({ below: fc.option(name), after: fc.option(path), limit: fc.option(fc.nat(6)) }), {
          maxLength: 8,
        }),
        async (someKeys, questions) => {
          const usable = someKeys.filter((key) => key !== "");
          const base = await fill(usable);
          for (const { below, after, limit } of questions) {
            const prefix = below === null ? "" : `${below}/`;
            const page = { after: after ?? undefined, limit: limit ?? undefined };
            expect(await store().list(base + prefix, page)).toEqual(namesBelow(usable, prefix, page.after, page.limit));
          }
        },
      );
      await fc.assert(runs, { numRuns: 150 });
    });

    it("comes to the end page by page, with every name once", async () => {
      const many = Array.from({ length: 250 }, (_, index) => (index % 3 === 0 ? `d${index}/x` : `n${index}`));
      const base = await fill(many);
      const found: string[] = [];
      for (let after: string | undefined; ; after = found.at(-1)) {
        const page = await store().list(base, { after, limit: 7 });
        found.push(...page);
        if (page.length < 7) break;
      }
      expect(found).toEqual(namesBelow(many, "", undefined, undefined));
    });
  });
}
