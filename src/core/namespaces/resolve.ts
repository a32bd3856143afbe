/** Which namespace a request is about: the one that its header names, and those that its path goes on through. */
import type { Storage } from "../../api/engine.ts";
import { notFound } from "../../api/errors.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { type Namespace, rootNamespace } from "./namespace.ts";
import { reservedNames } from "./namespace-name.ts";
import { storageOf } from "./namespace-storage.ts";
import { childNamespace, type StoredNamespace } from "./stored-namespace.ts";

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
export async function resolvePlace(named: string, path: string, whole: Storage): Promise<Place> {
  const walk = new Walk(whole);
  if (named !== "") for (const name of named.split("/")) if (!(await walk.enter(name))) throw namespaceNotFound();
  let rest = path;
  for (let slash = rest.indexOf("/"); slash > 0; slash = rest.indexOf("/")) {
    const name = rest.slice(0, slash);
    if (reservedNames.has(name) || (await walk.hasMount(rest)) || !(await walk.enter(name))) break;
    rest = rest.slice(slash + 1);
  }
  return { namespace: walk.at, path: rest, locked: walk.locked };
}

class Walk {
  at: Namespace = rootNamespace;
  locked: Namespace | undefined;
  readonly #whole: Storage;

  constructor(whole: Storage) {
    this.#whole = whole;
  }

  async enter(name: string): Promise<boolean> {
    const child: StoredNamespace | undefined = await childNamespace(this.at, name, this.#whole);
    if (!child) return false;
    if (child.tainted) throw namespaceNotFound();
    if (child.lock !== "") this.locked ??= child;
    this.at = child;
    return true;
  }

  async hasMount(path: string): Promise<boolean> {
    return (await readMountTable(storageOf(this.at, this.#whole))).owning(path) !== undefined;
  }
}
