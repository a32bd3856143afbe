/** Finds the mount that owns the path, and the declared path inside it. */

import type { OperationName } from "../../api/path.ts";
import type { LiveMount } from "../mounts/live-mounts.ts";
import type { Mounts } from "../mounts/mounts.ts";
import type { Stage } from "./pipeline.ts";

export const route =
  (mounts: Mounts): Stage =>
  async (exchange, next) => {
    const { path, operation } = exchange.request;
    const mount = await mounts.owning(path, exchange.storage!);
    exchange.mount = mount;
    exchange.match = mount?.router.match(pathInside(mount, path, operation));
    exchange.services = undefined;
    return next();
  };

/** The path of a list ends in a slash, for policies to tell it from a read; declarations know it without. */
function pathInside(mount: LiveMount, path: string, operation: OperationName): string {
  const isList = operation === "list" || operation === "scan";
  return path.slice(mount.path.length, isList && path.endsWith("/") ? -1 : undefined);
}
