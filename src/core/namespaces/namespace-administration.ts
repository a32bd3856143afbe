/** Changes of namespaces: make, describe, lock and begin to delete them. Each is part of the caller's transaction. */
import { hash, timingSafeEqual } from "node:crypto";
import type { Random, Storage } from "../../api/engine.ts";
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { randomBase62 } from "../../lib/base62.ts";
import { randomUuid } from "../../lib/random-name.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { isRootNamespace, type Namespace } from "./namespace.ts";
import { beginDeletion } from "./namespace-deletion.ts";
import { requireName, withoutSlashes } from "./namespace-name.ts";
import { type Scope, storageOf } from "./namespace-storage.ts";
import { addNamespace, childNamespace, namespaceById, putNamespace, type StoredNamespace } from "./stored-namespace.ts";

const idLength = 6;
const unlockKeyLength = 24;

export type Metadata = Readonly<Record<string, string>>;

export interface AdministrationParts {
  readonly random: Random;
  /** Writes what a namespace has from its first moment on: mounts, policies, the keys of its tokens. */
  initialize(storage: Storage, now: Date): void;
}

export class NamespaceAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** The namespace of this name directly below the scope's own. */
  async find(written: string, { namespace, whole }: Scope): Promise<StoredNamespace | undefined> {
    const name = withoutSlashes(written);
    if (name.includes("/")) throw invalidRequest("name must not contain /");
    return childNamespace(namespace, name, whole);
  }

  /** Makes it, or replaces the metadata of the one that is there. */
  async put(written: string, custom_metadata: Metadata, scope: Scope, now: Date): Promise<StoredNamespace> {
    const { namespace: parent, whole } = scope;
    const name = withoutSlashes(written);
    requireName(name);
    const before = await childNamespace(parent, name, whole);
    if (before?.tainted) throw invalidRequest("a namespace of this name is being deleted: try again when it is gone");
    if (before) return changed(before, { custom_metadata }, whole);
    await requireNoMount(`${name}/`, storageOf(parent, whole));
    const made: StoredNamespace = {
      id: await this.#freeId(whole),
      uuid: randomUuid(this.#parts.random),
      path: `${parent.path}${name}/`,
      name,
      parent: parent.id,
      custom_metadata,
      tainted: false,
      lock: "",
      children: 0,
    };
    await addNamespace(made, parent, whole);
    this.#parts.initialize(storageOf(made, whole), now);
    return made;
  }

  describe(namespace: StoredNamespace, custom_metadata: Metadata, whole: Storage): StoredNamespace {
    return changed(namespace, { custom_metadata }, whole);
  }

  /** False when there is none. Its tokens are refused from this commit on; the rest follows. */
  async remove(written: string, scope: Scope): Promise<boolean> {
    const namespace = await this.find(written, scope);
    if (!namespace) return false;
    if (namespace.children > 0) throw new ApiError(409, "unable to delete namespace containing child namespaces");
    if (!namespace.tainted) beginDeletion(changed(namespace, { tainted: true }, scope.whole), scope.whole);
    return true;
  }

  /** Answers the key that opens it again. */
  async lock(path: string, scope: Scope): Promise<string> {
    const namespace = await this.#at(path, scope);
    if (namespace.lock !== "")
      throw invalidRequest(`the namespace ${JSON.stringify(namespace.path)} is locked already`);
    const key = randomBase62(unlockKeyLength, this.#parts.random);
    changed(namespace, { lock: digestOf(key) }, scope.whole);
    return key;
  }

  /** Without a key only for those who may do everything here. */
  async unlock(path: string, key: string | undefined, scope: Scope): Promise<void> {
    const namespace = await this.#at(path, scope);
    if (namespace.lock === "") throw invalidRequest(`the namespace ${JSON.stringify(namespace.path)} is not locked`);
    if (key !== undefined && !isSame(digestOf(key), namespace.lock)) throw invalidRequest("the unlock key is wrong");
    changed(namespace, { lock: "" }, scope.whole);
  }

  /** The scope's own for an empty path, else the one below it. */
  async #at(written: string, { namespace, whole }: Scope): Promise<StoredNamespace> {
    const path = withoutSlashes(written);
    let at: Namespace | undefined = namespace;
    for (const name of path === "" ? [] : path.split("/")) at = at && (await childNamespace(at, name, whole));
    if (at && isRootNamespace(at)) throw invalidRequest("the root namespace can be neither locked nor unlocked");
    const stored = at && (await namespaceById(at.id, whole));
    if (!stored || stored.tainted) throw new ApiError(404, "requested namespace does not exist");
    return stored;
  }

  async #freeId(whole: Storage): Promise<string> {
    for (;;) {
      const id = randomBase62(idLength, this.#parts.random);
      if (!(await namespaceById(id, whole))) return id;
    }
  }
}

function changed(namespace: StoredNamespace, change: Partial<StoredNamespace>, whole: Storage): StoredNamespace {
  const after = { ...namespace, ...change };
  putNamespace(after, whole);
  return after;
}

/** Nobody could tell whether a path goes into the mount or into the namespace. */
async function requireNoMount(path: string, storage: Storage): Promise<void> {
  const taken = (await readMountTable(storage)).entries.find((entry) => entry.path.startsWith(path));
  if (taken) throw invalidRequest(`path is already in use at ${taken.path}`);
}

const digestOf = (key: string) => hash("sha256", key, "hex");

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
