/** Makes a folder fit for LMDB: private to its owner, on a disk of this machine, with nothing else in place of its files. */
import { access, chmod, constants, mkdir, open, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { whatIsWrongWith } from "./lmdb-header.ts";
import { StoreUnavailable } from "./store.ts";

/** By the type that statfs(2) tells on Linux. Memory maps and locks are not shared between machines on any of these. */
const remoteFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x01021997, "9P"],
  [0x65735546, "FUSE"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x00c36400, "Ceph"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
  [0x786f4256, "VirtualBox shared folders"],
  [0xbacbacbc, "VMware shared folders"],
]);

export function remoteFileSystem(type: number): string | undefined {
  // The type is a signed word on some machines.
  return remoteFileSystems.get(type >>> 0);
}

/** What the first commits of an empty store need. */
const leastBytes = 256 * 1024;

export async function prepareFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, 0o700);
    await checkFileSystem(path);
    await checkFiles(path);
    const wrong = await whatIsWrongWith(join(path, "data.mdb"));
    if (wrong !== undefined) throw new StoreUnavailable(`the file ${join(path, "data.mdb")} cannot be used: ${wrong}`);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`the data folder ${path} cannot be used: ${reason(error)}`, { cause: error });
  }
}

async function checkFileSystem(path: string): Promise<void> {
  const { type, bavail, bsize } = await statfs(path);
  const remote = remoteFileSystem(type);
  if (remote !== undefined) {
    throw new StoreUnavailable(
      `the data folder ${path} is on a ${remote} file system, which may be shared with other machines and would damage ` +
        "the data: choose a folder on a local disk, or store in PostgreSQL",
    );
  }
  if (bavail * bsize < leastBytes)
    throw new StoreUnavailable(`the data folder ${path} cannot be used: the disk is full`);
}

/** What LMDB does next must not fail there: its library would take the process down. */
async function checkFiles(path: string): Promise<void> {
  const file = await open(join(path, "data.mdb"), "a+", 0o600);
  const { size } = await file.stat();
  await file.close();
  if (size === 0) await keepNames(path);
  // Not to be opened here: closing it again would give up the locks that this process may hold on it.
  await access(join(path, "lock.mdb"), constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** A file that is flushed to disk is not safe there before its name is, too. */
async function keepNames(path: string): Promise<void> {
  for (const each of [path, dirname(resolve(path))]) {
    const folder = await open(each, "r").catch(() => undefined);
    await folder?.sync();
    await folder?.close();
  }
}

/** Says what an error of the operating system means for a data folder. */
export function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EEXIST" || code === "ENOTDIR") return "it is a file, or lies in one";
  if (code === "EACCES" || code === "EPERM") return "this user is not allowed to";
  if (code === "EISDIR") return "there is a folder in place of its file";
  if (code === "EROFS") return "the disk is read-only";
  if (code === "ENOSPC") return "the disk is full";
  return error instanceof Error ? error.message : String(error);
}
