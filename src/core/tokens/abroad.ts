/**
 * Where a token left something besides its own namespace: leases, children, a cubbyhole. Those lie in the records of the
 * other namespace, and whoever ends the token looks there too.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import type { AtHand } from "../../lib/at-hand.ts";
import { type Namespace, reference } from "../namespaces/namespace.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { homeStorage } from "./home-storage.ts";
import { homeOf, type Token } from "./token.ts";

const folder = (tokenKey: string) => `sys/token/abroad/${tokenKey}/`;
/** In the other namespace: whose tokens left something there. */
const visitors = "sys/token/visitors/";

/** To be called in the transaction that leaves something there. Batch tokens leave nothing that could be found. */
export function noteAbroad(token: Token, storage: Storage): AtHand<void> {
  const { namespace } = scopeOf(storage);
  const isAtHome = homeOf(token).id === namespace.id;
  return isAtHome || token.key === "" ? undefined : note(token, namespace, storage);
}

async function note(token: Token, namespace: Namespace, storage: Storage): Promise<void> {
  const home = homeStorage(token, storage);
  const key = folder(token.key) + namespace.id;
  if ((await home.get(key)) !== undefined) return;
  home.put(key, recordBytes(reference(namespace)));
  storage.put(visitors + token.key, recordBytes(homeOf(token)));
}

/** Some of the namespaces in which a token left something. */
export async function abroadOf(tokenKey: string, home: Storage, most: number): Promise<Namespace[]> {
  const ids = await home.list(folder(tokenKey), { limit: most });
  const found = await Promise.all(ids.map((id) => home.read(folder(tokenKey) + id, parseRecord)));
  return found.filter((namespace) => namespace !== undefined) as Namespace[];
}

export function forgetAbroad(tokenKey: string, namespace: Namespace, home: Storage): void {
  home.delete(folder(tokenKey) + namespace.id);
  storageOf(namespace, scopeOf(home).whole).delete(visitors + tokenKey);
}

/** For a namespace that goes: its visitors need not come back. Answers whether there are more of them. */
export async function dismissVisitors(storage: Storage, most: number): Promise<boolean> {
  const { namespace, whole } = scopeOf(storage);
  const keys = await storage.list(visitors, { limit: most });
  for (const key of keys) {
    const home = (await storage.read(visitors + key, parseRecord)) as Namespace | undefined;
    if (home) forgetAbroad(key, namespace, storageOf(home, whole));
  }
  return keys.length >= most;
}
