/** Which namespace a request is about: the one that its header names, and those that its path goes on through. */
import type { Storage } from "../../api/engine.ts";
import { notFound } from "../../api/errors.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { mountTableAtHand } from "../mounts/mount-table.ts";
import { type Namespace, rootNamespace } from "./namespace.ts";
import { reservedNames } from "./namespace-name.ts";
import { storageOf } from "./namespace-storage.ts";
import { childAtHand } from "./stored-namespace.ts";

export interface Place {
  readonly namespace: Namespace;
  /** What is left of the path: the path within the namespace. */
  readonly path: string;
  /** The outermost namespace on the way that is locked. */
  readonly locked: Namespace | undefined;
}

export const namespaceNotFound = () => notFound("namespace not found");

/**
 * `named` is what the header says, without slashes around it; all of it must be there. The path then leads on as deep as
 * there are namespaces. A mount and a namespace never claim the same path, so whichever is asked first decides nothing.
 */
export function resolvePlace(named: string, path: string, whole: Storage): AtHand<Place> {
  const start: Place = { namespace: rootNamespace, path, locked: undefined };
  if (named === "") return descended(start, whole);
  return withValue(followed(start, named.split("/"), whole), (place) => descended(place, whole));
}

/** Into the namespaces with these names, one in the other. */
function followed(place: Place, [name, ...others]: readonly string[], whole: Storage): AtHand<Place> {
  if (name === undefined) return place;
  return withValue(entered(place, name, place.path, whole), (inner) => {
    if (!inner) throw namespaceNotFound();
    return followed(inner, others, whole);
  });
}

/** Into the namespaces that the path begins with. */
function descended(place: Place, whole: Storage): AtHand<Place> {
  const { namespace, path } = place;
  const slash = path.indexOf("/");
  const name = path.slice(0, slash);
  if (slash <= 0 || reservedNames.has(name)) return place;
  return withValue(mountTableAtHand(storageOf(namespace, whole)), (mounts) => {
    if (mounts.owning(path)) return place;
    return withValue(entered(place, name, path.slice(slash + 1), whole), (inner) =>
      inner ? descended(inner, whole) : place,
    );
  });
}

function entered(place: Place, name: string, path: string, whole: Storage): AtHand<Place | undefined> {
  return withValue(childAtHand(place.namespace, name, whole), (child) => {
    if (!child) return undefined;
    if (child.tainted) throw namespaceNotFound();
    return { namespace: child, path, locked: place.locked ?? (child.lock === "" ? undefined : child) };
  });
}
