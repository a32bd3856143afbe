/** Opens the LMDB environment of a data folder and its three databases, and checks the version of their format. */
import { stat } from "node:fs/promises";
import { type Database, openAsClass, type RootDatabase } from "lmdb";
import { type ByteString, maxKeyBytes } from "./key.ts";
import { prepareFolder, reason } from "./lmdb-folder.ts";
import { LatestTransaction } from "./lmdb-latest.ts";
import { announceOpening } from "./lmdb-opening.ts";
import { StoreUnavailable } from "./store.ts";

/** Raised whenever data written by this version could be misread by the one before. */
const format = "1";

type Root = RootDatabase<Buffer, Uint8Array>;

export interface Databases {
  readonly root: Root;
  readonly latest: LatestTransaction;
  /** Key of the store → version and value. Iterates over keys as byte strings. */
  readonly entries: Database<Buffer, string | Uint8Array>;
  /** Sequence number of a commit → the keys that it touched. */
  readonly log: Database<Buffer, Uint8Array>;
  /** `sequence`: the number of the last commit. `format`: the version of all this. */
  readonly meta: Database<Buffer, Uint8Array>;
  /** Once for each time that they were opened. */
  readonly close: () => Promise<void>;
}

/** LMDB has no empty key. */
export const lowest: Uint8Array = Buffer.of(0);

/** Strings are written as UTF-8; what is read comes back as a byte string, which sorts as LMDB does. */
const entryKeys = {
  writeKey(key: string | Uint8Array, target: Buffer, start: number): number {
    if (typeof key === "string") return start + target.write(key, start, "utf8");
    target.set(key, start);
    return start + key.length;
  },
  readKey(source: Buffer, start: number, end: number): ByteString {
    return source.toString("latin1", start, end);
  },
};

/**
 * What this process has open, by folder. A folder is opened once only: with POSIX locks, closing it a second time would
 * give up the locks of the first one, and other processes would take our readers for dead.
 */
const shared = new Map<string, { readonly databases: Databases; users: number; closing?: Promise<void> }>();

export async function openDatabases(path: string, mapSize: number): Promise<Databases> {
  await prepareFolder(path);
  const { dev, ino } = await stat(path);
  const identity = `${dev}:${ino}`;
  for (let closing = shared.get(identity)?.closing; closing; closing = shared.get(identity)?.closing) await closing;
  const known = shared.get(identity);
  if (known) {
    known.users++;
    return known.databases;
  }
  const databases = openEnvironment(path, mapSize, () => closeDatabases(identity));
  shared.set(identity, { databases, users: 1 });
  return databases;
}

async function closeDatabases(identity: string): Promise<void> {
  const known = shared.get(identity)!;
  if (--known.users > 0) return;
  const { root, latest } = known.databases;
  known.closing = root.close().finally(() => {
    latest.close();
    shared.delete(identity);
  });
  await known.closing;
}

function openEnvironment(path: string, mapSize: number, close: () => Promise<void>): Databases {
  const binary = { encoding: "binary", keyEncoding: "binary" } as const;
  // A name with a dot in it would be taken for a file, not a folder; the mode is that of the files.
  const files = { path, noSubdir: false, permissionsMode: 0o600 };
  // Without overlapping, what is visible is durable, and it was no slower when measured with 32 commits under way.
  // The library's own batches would end the process when a commit fails: nobody handles a promise of theirs.
  const options = { ...binary, ...files, mapSize, maxDbs: 4, overlappingSync: false, eventTurnBatching: false };
  let root: Root | undefined;
  let latest: LatestTransaction | undefined;
  try {
    const announceEnd = announceOpening(path);
    // Opening also clears the places of readers that died.
    const Environment = openAsClass(options) as unknown as new (name: null, options: object) => Root;
    latest = new LatestTransaction(path);
    latest.restore();
    announceEnd();
    root = new Environment(null, { ...options, isRoot: true });
    checkLimits(root);
    return { root, latest, ...openNamed(root, latest, path), close };
  } catch (error) {
    void root?.close().then(() => latest?.close());
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`the data in ${path} cannot be opened: ${reason(error)}`, { cause: error });
  }
}

/** Opens or makes the databases in one transaction, and tries again when another process came in between. */
function openNamed(root: Root, latest: LatestTransaction, path: string): Pick<Databases, "entries" | "log" | "meta"> {
  const binary = { encoding: "binary", keyEncoding: "binary" } as const;
  const entryOptions = { name: "entries", encoding: "binary", keyEncoder: entryKeys } as const;
  for (;;) {
    const opened = root.transactionSync(() => {
      if (!latest.isBefore(root.getWriteTxnId())) return undefined;
      const entries = root.openDB<Buffer, string | Uint8Array>(entryOptions);
      const log = root.openDB<Buffer, Uint8Array>({ name: "log", ...binary });
      const meta = root.openDB<Buffer, Uint8Array>({ name: "meta", ...binary });
      checkFormat(entries, meta, path);
      return { entries, log, meta };
    });
    if (opened) return opened;
    latest.restore();
  }
}

function checkLimits(root: Root): void {
  const { maxKeySize } = root as unknown as { maxKeySize: number };
  if (maxKeySize < maxKeyBytes) throw new Error(`its keys may have ${maxKeySize} bytes, and ${maxKeyBytes} are needed`);
}

function checkFormat(entries: Databases["entries"], meta: Databases["meta"], path: string): void {
  const key = Buffer.from("format");
  const isNew = meta.getBinary(key) === undefined && entries.getKeysCount({ start: lowest, limit: 1 }) === 0;
  if (isNew) meta.putSync(key, Buffer.from(format));
  const found = meta.getBinary(key)?.toString() ?? "unknown";
  if (found === format) return;
  throw new StoreUnavailable(
    `the data in ${path} has the format ${JSON.stringify(found)}, and this version of Strongroom reads only "${format}": ` +
      "use the version that wrote it",
  );
}
