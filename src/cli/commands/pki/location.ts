/** Where a certificate authority is: a mount, or a role below one, as people type it. */
import { textFlag } from "../../flags.ts";
import { cleanPath } from "../../path.ts";

export const mountFlag = { mount: textFlag("Path of the engine", { default: "pki" }) };

export interface RoleLocation {
  readonly mount: string;
  readonly role: string;
}

/** `MOUNT/ROLE`, where the mount may be of several parts; a bare name is a role of the mount in the flag. */
export function locateRole(typed: string | undefined, mount: string): RoleLocation {
  const path = cleanPath(typed);
  const slash = path.lastIndexOf("/");
  if (slash === -1) return { mount: cleanPath(mount), role: path };
  return { mount: cleanPath(path.slice(0, slash)), role: path.slice(slash + 1) };
}
