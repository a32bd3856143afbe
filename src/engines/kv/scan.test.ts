import fc from "fast-check";
import { expect, test } from "vitest";
import { MapStorage } from "../../../test/support/engine-caller.ts";
import type { PageRequest } from "../../api/list-fields.ts";
import { scan } from "./scan.ts";

const storageOf = (paths: readonly string[]) => {
  const storage = new MapStorage();
  for (const path of paths) storage.put(`secrets/${path}`, new Uint8Array());
  storage.put("versions/a/1", new Uint8Array());
  return storage;
};

test.each<[PageRequest, string[]]>([
  [{}, ["a", "a-b", "a/b", "a/c/d", "a0", "b/x", "ü"]],
  [{ limit: 2 }, ["a", "a-b"]],
  [{ after: "a" }, ["a-b", "a/b", "a/c/d", "a0", "b/x", "ü"]],
  [{ after: "a-b", limit: 1 }, ["a/b"]],
  [{ after: "a/" }, ["a/b", "a/c/d", "a0", "b/x", "ü"]],
  [{ after: "a/b", limit: 2 }, ["a/c/d", "a0"]],
  [{ after: "a/c/d" }, ["a0", "b/x", "ü"]],
  [{ after: "a/nothing/here", limit: 1 }, ["a0"]],
  [{ after: "b/x" }, ["ü"]],
  [{ after: "ü" }, []],
])("everything below, in byte order: %j", async (page, names) => {
  const storage = storageOf(["b/x", "a", "a/c/d", "a0", "a-b", "a/b", "ü"]);
  expect(await scan(storage, "secrets/", page)).toEqual(names);
});

test("a folder alone", async () => {
  expect(await scan(storageOf(["a/b", "a/c/d", "ab"]), "secrets/a/")).toEqual(["b", "c/d"]);
});

test("pages of any size, put together, are all paths in byte order", async () => {
  const segment = fc.constantFrom("a", "a-", "a0", "b", "ü", "z");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
  const property = fc.asyncProperty(fc.uniqueArray(path, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), check);

  async function check(paths: string[], limit: number) {
    const storage = storageOf(paths);
    const found: string[] = [];
    for (;;) {
      const page = await scan(storage, "secrets/", { after: found.at(-1), limit });
      expect(page.length).toBeLessThanOrEqual(limit);
      found.push(...page);
      if (page.length === 0) break;
    }
    expect(found).toEqual(paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  }

  await fc.assert(property, { numRuns: 200 });
});

test("more names in one folder than are read at once", async () => {
  const paths = Array.from({ length: 2500 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
  expect(await scan(storageOf(paths), "secrets/")).toEqual(paths);
});

test("resuming after a path that does not exist costs no look-up for each of its segments", async () => {
  const storage = storageOf(["b"]);
  let lists = 0;
  const list = storage.list.bind(storage);
  storage.list = (...args) => {
    lists += 1;
    return list(...args);
  };
  expect(await scan(storage, "secrets/", { after: "a/".repeat(500) })).toEqual(["b"]);
  expect(lists).toBeLessThan(5);
});
