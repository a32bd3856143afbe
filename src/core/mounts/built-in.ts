/** Mounts that every server has, and that nobody can disable or move. */
import { randomHex, randomUuid } from "../../lib/random-name.ts";
import type { MountEntry } from "./mount-entry.ts";

interface RandomSource {
  bytes(count: number): Uint8Array;
}

const builtIns = [
  { path: "cubbyhole/", type: "cubbyhole", description: "per-token private secret storage" },
  { path: "identity/", type: "identity", description: "identity store" },
  { path: "auth/token/", type: "token", description: "token based credentials" },
] as const;

/** Accessors of those in a namespace below the root begin with `ns_`, as their types do where they are shown. */
export const builtInMounts = (random: RandomSource, typePrefix: "" | "ns_" = ""): MountEntry[] =>
  builtIns.map(({ path, type, description }) => ({
    ...newEntry(path, typePrefix + type, random),
    type,
    description,
    local: type === "cubbyhole",
  }));

/** A mount with nothing tuned. */
export function newEntry(path: string, type: string, random: RandomSource): MountEntry {
  const accessor = `${type}_${randomHex(4, random)}`;
  return {
    path,
    type,
    uuid: randomUuid(random),
    accessor: path.startsWith("auth/") ? `auth_${accessor}` : accessor,
    description: "",
    local: false,
    seal_wrap: false,
    external_entropy_access: false,
    options: null,
    config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false },
  };
}
