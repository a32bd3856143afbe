import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MapStorage } from "../../../test/support/engine-caller.ts";
import { newEntry } from "../mounts/built-in.ts";
import { writeMountTable } from "../mounts/mount-table.ts";
import { type Namespace, rootNamespace } from "./namespace.ts";
import { storageOf } from "./namespace-storage.ts";
import { resolvePlace } from "./resolve.ts";
import { addNamespace, childNamespace, putNamespace, type StoredNamespace } from "./stored-namespace.ts";

/** Makes the namespaces with these paths, and those that they lie in. */
async function tree(paths: readonly string[], change: Partial<StoredNamespace> = {}): Promise<MapStorage> {
  const whole = new MapStorage();
  let made = 0;
  for (const path of paths) {
    let at: Namespace = rootNamespace;
    for (const name of path.split("/")) at = (await childNamespace(at, name, whole)) ?? (await add(at, name));
    if (Object.keys(change).length > 0) putNamespace({ ...(at as StoredNamespace), ...change }, whole);
  }
  return whole;

  async function add(parent: Namespace, name: string): Promise<StoredNamespace> {
    made += 1;
    const path = `${parent.path}${name}/`;
    const state = { custom_metadata: {}, tainted: false, lock: "", children: 0 };
    const namespace = { id: `id${made}`, uuid: `uuid${made}`, path, name, parent: parent.id, ...state };
    await addNamespace(namespace, parent, whole);
    return namespace;
  }
}

/** A refusal is a rejection here, whether it comes at once or later. */
const resolved = async (named: string, path: string, whole: MapStorage) => resolvePlace(named, path, whole);

describe("a place", () => {
  test.each([
    ["", "kv/x", "", "kv/x"],
    ["", "a/kv/x", "a/", "kv/x"],
    ["", "a/b/kv/x", "a/b/", "kv/x"],
    ["a", "b/kv/x", "a/b/", "kv/x"],
    ["a/b", "kv/x", "a/b/", "kv/x"],
    ["a/b", "a/b/kv", "a/b/", "a/b/kv"],
    ["", "a", "", "a"],
    ["", "a/", "a/", ""],
    ["", "ab/x", "", "ab/x"],
    ["", "sys/a/x", "", "sys/a/x"],
    ["", "auth/a/b/x", "", "auth/a/b/x"],
    ["a", "sys/namespaces/b", "a/", "sys/namespaces/b"],
    ["", "/a/x", "", "/a/x"],
  ])("named %j with the path %s is %j with the path %s", async (named, path, namespace, rest) => {
    const place = await resolvePlace(named, path, await tree(["a/b", "z"]));
    expect([place.namespace.path, place.path]).toEqual([namespace, rest]);
  });

  test("is in the mount, where there is one", async () => {
    const whole = await tree(["a"]);
    const random = { bytes: (count: number) => new Uint8Array(count) };
    writeMountTable(
      [newEntry("b/c/", "kv", random)],
      storageOf((await childNamespace(rootNamespace, "a", whole))!, whole),
    );
    expect(await resolvePlace("", "a/b/c/d", whole)).toMatchObject({ namespace: { path: "a/" }, path: "b/c/d" });
  });

  test.each(["x", "a/x", "b", "a//b", "/a", "a/b/"])(
    "named %j is refused where all of it is not there",
    async (named) => {
      await expect(resolved(named, "kv/x", await tree(["a/b"]))).rejects.toMatchObject({
        status: 404,
        messages: ["namespace not found"],
      });
    },
  );

  test("in a namespace that is being deleted is refused, by name and by path", async () => {
    const whole = await tree(["a/b"], { tainted: true });
    await expect(resolved("a/b", "kv/x", whole)).rejects.toThrow("namespace not found");
    await expect(resolved("", "a/b/kv/x", whole)).rejects.toThrow("namespace not found");
    expect((await resolvePlace("a", "kv/x", whole)).namespace.path).toBe("a/");
  });

  test("tells the outermost lock on its way", async () => {
    const whole = await tree(["a", "a/b"], { lock: "digest" });
    expect((await resolvePlace("a/b", "x", whole)).locked?.path).toBe("a/");
    expect((await resolvePlace("", "x", whole)).locked).toBeUndefined();
  });
});

const name = fc.constantFrom("a", "b", "ab", "c-d", "é");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

test("is the deepest namespace that the name and the path together lead through, or none if the name leads nowhere", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { maxLength: 6 }),
      fc.option(path, { nil: "" }),
      path,
      async (made, named, asked) => {
        const whole = await tree(made);
        const there = new Set(
          made.flatMap((each) => each.split("/").map((_, i, names) => `${names.slice(0, i + 1).join("/")}/`)),
        );
        const start = named === "" ? "" : `${named}/`;
        if (start !== "" && !there.has(start)) {
          await expect(resolved(named, asked, whole)).rejects.toThrow("namespace not found");
          return;
        }
        const full = start + asked;
        const deepest = [...there].filter((each) => full.startsWith(each)).sort((a, b) => b.length - a.length)[0] ?? "";
        const place = await resolvePlace(named, asked, whole);
        expect(place.namespace.path).toBe(deepest);
        expect(place.namespace.path + place.path).toBe(full);
      },
    ),
  );
});
