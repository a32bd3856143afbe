/** What a new store holds from its first commit on: the built-in mounts, the keys of the token store, a root token. */
import type { Random, Storage } from "../../api/engine.ts";
import { noteAccessor } from "../mounts/accessor-index.ts";
import { builtInMounts } from "../mounts/built-in.ts";
import type { MountEntry } from "../mounts/mount-entry.ts";
import { writeMountTable } from "../mounts/mount-table.ts";
import type { Policies } from "../policies/policies.ts";
import { rootToken, type Tokens } from "../tokens/tokens.ts";

export interface FirstRecords {
  readonly entries: ReadonlyMap<string, Uint8Array>;
  readonly rootToken: string;
}

export async function firstRecords(
  { tokens, policies, random }: { tokens: Tokens; policies: Policies; random: Random },
  now: Date,
  rootId?: string,
): Promise<FirstRecords> {
  const storage = new PlannedStorage();
  initialize({ tokens, policies }, builtInMounts(random), storage, now);
  const { id } = await tokens.issue(rootToken, now, storage, rootId);
  return { entries: storage.entries, rootToken: id };
}

/** The same for a namespace below the root, which has no token until somebody makes one. */
export const namespaceRecords =
  ({ tokens, policies, random }: { tokens: Tokens; policies: Policies; random: Random }) =>
  (storage: Storage, now: Date): void => {
    const mounts = builtInMounts(random, "ns_");
    initialize({ tokens, policies }, mounts, storage, now);
    for (const mount of mounts) noteAccessor(mount, storage);
  };

function initialize(
  { tokens, policies }: { tokens: Tokens; policies: Policies },
  mounts: readonly MountEntry[],
  storage: Storage,
  now: Date,
): void {
  tokens.initialize(storage);
  policies.initialize(storage, now);
  writeMountTable(mounts, storage);
}

/** Collects writes before there is a store to write to. */
class PlannedStorage implements Storage {
  readonly entries = new Map<string, Uint8Array>();

  async get(key: string) {
    return this.entries.get(key);
  }

  async read<T>(key: string, parse: (bytes: Uint8Array) => T) {
    const bytes = this.entries.get(key);
    return bytes && parse(bytes);
  }

  put(key: string, value: Uint8Array) {
    this.entries.set(key, value);
  }

  delete(key: string) {
    this.entries.delete(key);
  }

  async list(): Promise<string[]> {
    throw new Error("nothing is listed before there is a store");
  }
}
