/** Finds the mount that owns the path, and the declared path inside it. */

import type { OperationName } from "../../api/path.ts";
import { withValue } from "../../lib/at-hand.ts";
import type { LiveMount } from "../mounts/live-mounts.ts";
import type { Mounts } from "../mounts/mounts.ts";
import type { Before } from "./pipeline.ts";

export const route = (mounts: Mounts): Before => ({
  before: (exchange) =>
    withValue(mounts.owning(exchange.request.path, exchange.storage!), (mount) => {
      const { path, operation } = exchange.request;
      exchange.mount = mount;
      exchange.match = mount?.router.match(pathInside(mount, path, operation));
      exchange.services = undefined;
    }),
});

/** The path of a list ends in a slash, for policies to tell it from a read; declarations know it without. */
function pathInside(mount: LiveMount, path: string, operation: OperationName): string {
  const isList = operation === "list" || operation === "scan";
  return path.slice(mount.path.length, isList && path.endsWith("/") ? -1 : undefined);
}
