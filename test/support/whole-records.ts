/** Looks behind the server's back whether records that belong together are all there. Names are readable, values are not. */
import { expect } from "vitest";
import type { Store } from "../../src/core/storage/store.ts";

/** Tells how many there are of each. */
export async function expectWholeRecords(store: Store): Promise<{ secrets: number; tokens: number }> {
  let secrets = 0;
  for (const mount of await store.list("logical/")) secrets += await expectWholeSecrets(store, `logical/${mount}`);
  return { secrets, tokens: await expectWholeTokens(store) };
}

/** A versioned secret has a record of its own, and one for the data of each version. */
async function expectWholeSecrets(store: Store, mount: string): Promise<number> {
  const states = await namesBelow(store, `${mount}secrets/`);
  const versions = await namesBelow(store, `${mount}versions/`);
  const owners = new Set(versions.map((name) => name.slice(0, name.lastIndexOf("/"))));
  if (versions.length > 0) expect([...owners].sort()).toEqual(states.sort());
  return states.length;
}

/** A token has a record, a lease if it ends, and a place below its parent unless it is an orphan. */
async function expectWholeTokens(store: Store): Promise<number> {
  const ids = new Set(await namesBelow(store, "sys/token/id/"));
  for (const name of await namesBelow(store, "sys/lease/id/auth/")) {
    expect(ids).toContain(/\/h[0-9a-z]{9}(\w{24})$/.exec(name)?.[1]);
  }
  for (const name of await namesBelow(store, "sys/token/parent/")) {
    const [parent, child] = name.split("/");
    expect(ids).toContain(parent);
    expect(ids).toContain(child);
  }
  return ids.size;
}

/** All keys below a prefix, without it. */
export async function namesBelow(store: Store, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await store.list(prefix)) {
    if (!name.endsWith("/")) names.push(name);
    else for (const deeper of await namesBelow(store, prefix + name)) names.push(name + deeper);
  }
  return names;
}
