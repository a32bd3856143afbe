/** Where a key-value secret is: which mount owns the path, and whether that mount keeps versions. */
import type { Client } from "../../../client/client.ts";
import { Refusal } from "../../../client/failure.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { CommandFailure, exitCodes } from "../../failure.ts";
import { textFlag } from "../../flags.ts";
import { cleanPath, trimSlashes } from "../../path.ts";

export const mountFlag = {
  mount: textFlag("Path of the engine; the argument is then the name of the secret alone"),
};

export interface Location {
  /** With a slash at its end. */
  readonly mount: string;
  /** Name of the secret below the mount. */
  readonly name: string;
  readonly isVersioned: boolean;
}

/** Asks the server; the answer to this question is no part of what `-output-curl-string` shows. */
export async function locate(client: Client, typed: string, mount: string | undefined): Promise<Location> {
  const name = cleanPath(typed);
  const path = mount === undefined ? name : cleanPath(mount);
  const owner = await owningMount(client, path);
  if (owner === undefined) return unversioned(name, mount);
  const isVersioned = owner.options["version"] === "2" || owner.options["version"] === 2;
  const full = mount === undefined ? `${name}/` : `${path}/${name}/`;
  if (!full.startsWith(owner.path)) return unversioned(name, mount);
  return { mount: owner.path, name: trimSlashes(full.slice(owner.path.length)), isVersioned };
}

function unversioned(name: string, mount: string | undefined): Location {
  if (mount !== undefined) return { mount: `${cleanPath(mount)}/`, name, isVersioned: false };
  const slash = name.indexOf("/");
  return slash === -1
    ? { mount: `${name}/`, name: "", isVersioned: false }
    : { mount: name.slice(0, slash + 1), name: name.slice(slash + 1), isVersioned: false };
}

/** A server that does not know the question is an old one, without versions. */
async function owningMount(client: Client, path: string) {
  try {
    const { data } = await client.get(`sys/internal/ui/mounts/${path}`, { isProbe: true });
    if (typeof data["path"] !== "string") return undefined;
    return { path: data["path"], options: isJsonObject(data["options"]) ? data["options"] : {} };
  } catch (error) {
    if (error instanceof Refusal && error.isAbsence) return undefined;
    throw error;
  }
}

/** Path of a secret in the API; with versions there is a word between the mount and the name. */
export function apiPath({ mount, name, isVersioned }: Location, word: VersionedPath): string {
  return trimSlashes(isVersioned ? `${mount}${word}/${name}` : mount + name);
}

export type VersionedPath = "data" | "metadata" | "delete" | "undelete" | "destroy";

export function requireVersions({ mount, isVersioned }: Location): void {
  if (isVersioned) return;
  throw new CommandFailure(
    `The engine at ${mount} keeps no versions. Turn them on with: strongroom kv enable-versioning ${mount}`,
    exitCodes.local,
  );
}
