/**
 * Where a token left something besides its own namespace: leases, children, a cubbyhole. Those lie in the records of the
 * other namespace, and whoever ends the token looks there too.
 */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { type Namespace, reference } from "../namespaces/namespace.ts";
import { scopeOf } from "../namespaces/namespace-storage.ts";
import { homeStorage } from "./home-storage.ts";
import { homeOf, type Token } from "./token.ts";

const folder = (tokenKey: string) => `sys/token/abroad/${tokenKey}/`;

/** To be called in the transaction that leaves something there. Batch tokens leave nothing that could be found. */
export async function noteAbroad(token: Token, storage: Storage): Promise<void> {
  const { namespace } = scopeOf(storage);
  if (homeOf(token).id === namespace.id || token.key === "") return;
  const home = homeStorage(token, storage);
  const key = folder(token.key) + namespace.id;
  if ((await home.get(key)) === undefined) home.put(key, recordBytes(reference(namespace)));
}

/** Some of the namespaces in which a token left something. */
export async function abroadOf(tokenKey: string, home: Storage, most: number): Promise<Namespace[]> {
  const ids = await home.list(folder(tokenKey), { limit: most });
  const found = await Promise.all(ids.map((id) => home.read(folder(tokenKey) + id, parseRecord)));
  return found.filter((namespace) => namespace !== undefined) as Namespace[];
}

export function forgetAbroad(tokenKey: string, { id }: Namespace, home: Storage): void {
  home.delete(folder(tokenKey) + id);
}
