/** All mounts of one namespace, parsed once per version of the stored table. */
import { parseRecord, recordBytes } from "../../api/collection.ts";
import type { Storage } from "../../api/engine.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import { readAtHand } from "../storage/read-at-hand.ts";
import type { MountEntry } from "./mount-entry.ts";

const tableKey = "core/mounts";

export class MountTable {
  readonly entries: readonly MountEntry[];
  readonly #byPath: ReadonlyMap<string, MountEntry>;
  readonly #byUuid: ReadonlyMap<string, MountEntry>;

  constructor(entries: readonly MountEntry[]) {
    this.entries = entries;
    this.#byPath = new Map(entries.map((entry) => [entry.path, entry]));
    this.#byUuid = new Map(entries.map((entry) => [entry.uuid, entry]));
  }

  withUuid(uuid: string): MountEntry | undefined {
    return this.#byUuid.get(uuid);
  }

  at(path: string): MountEntry | undefined {
    return this.#byPath.get(path);
  }

  /** The mount with the longest path that `path` begins with. */
  owning(path: string): MountEntry | undefined {
    let found: MountEntry | undefined;
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      found = this.#byPath.get(path.slice(0, slash + 1)) ?? found;
    }
    return found ?? this.#byPath.get(`${path}/`);
  }
}

const parseTable = (bytes: Uint8Array) => new MountTable(parseRecord(bytes) as readonly MountEntry[]);
const empty = new MountTable([]);

export const mountTableAtHand = (storage: Storage): AtHand<MountTable> =>
  withValue(readAtHand(storage, tableKey, parseTable), (table) => table ?? empty);

export async function readMountTable(storage: Storage): Promise<MountTable> {
  return mountTableAtHand(storage);
}

export function writeMountTable(entries: readonly MountEntry[], storage: Storage): void {
  storage.put(tableKey, recordBytes(entries));
}
