/** Makes a folder fit for LMDB: private to its owner, and on a disk of this machine. */
import { chmod, mkdir, stat, statfs } from "node:fs/promises";
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

export async function prepareFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, 0o700);
    const remote = remoteFileSystem((await statfs(path)).type);
    if (remote === undefined) return;
    throw new StoreUnavailable(
      `the data folder ${path} is on a ${remote} file system, which may be shared with other machines and would damage ` +
        "the data: choose a folder on a local disk, or store in PostgreSQL",
    );
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`the data folder ${path} cannot be used: ${reason(error)}`, { cause: error });
  }
}

/** Says what an error of the operating system means for a data folder. */
export function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "EEXIST" || code === "ENOTDIR") return "it is a file, or lies in one";
  if (code === "EACCES" || code === "EPERM") return "this user is not allowed to";
  if (code === "EROFS") return "the disk is read-only";
  if (code === "ENOSPC") return "the disk is full";
  return error instanceof Error ? error.message : String(error);
}
