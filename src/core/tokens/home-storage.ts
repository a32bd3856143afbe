/** The records of the namespace that a token belongs to, whichever namespace it is used in. */
import type { Storage } from "../../api/engine.ts";
import { scopeOf, storageOf } from "../namespaces/namespace-storage.ts";
import { homeOf, type Token } from "./token.ts";

/** The same object where the token is at home. */
export function homeStorage(token: Token, storage: Storage): Storage {
  const { namespace, whole } = scopeOf(storage);
  const home = homeOf(token);
  return home.id === namespace.id ? storage : storageOf(home, whole);
}
