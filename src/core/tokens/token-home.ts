/** Finds the namespace that a token says it belongs to: outside of the root, its id ends in a dot and the namespace's id. */
import type { Storage } from "../../api/engine.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { type Namespace, reference, rootNamespace } from "../namespaces/namespace.ts";
import { byIdAtHand } from "../namespaces/stored-namespace.ts";

/** Undefined for one that is being deleted. An id that names no namespace can only be one of the root's. */
export function homeOfId(tokenId: string, whole: Storage): AtHand<Namespace | undefined> {
  const suffix = suffixIn(tokenId);
  if (suffix === "") return rootNamespace;
  return withValue(byIdAtHand(suffix, whole), (named) => {
    if (!named) return rootNamespace;
    return named.tainted ? undefined : reference(named);
  });
}

const kinds = ["s.", "b.", "hvs."];

/** `s.` and `b.` tell the kind of a token; a second dot, or the only one of an id that somebody chose, tells its home. */
function suffixIn(tokenId: string): string {
  const kind = kinds.find((each) => tokenId.startsWith(each))?.length ?? 0;
  const dot = tokenId.indexOf(".", kind);
  return dot < 0 ? "" : tokenId.slice(dot + 1);
}
