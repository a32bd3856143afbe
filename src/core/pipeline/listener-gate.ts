/** Paths that a listener opens to anybody need neither token nor store, and answer also while the server is sealed. */
import type { Mounts } from "../mounts/mounts.ts";
import { callHandler } from "./dispatch.ts";
import type { Around } from "./pipeline.ts";

export const listenerGate =
  (mounts: Mounts): Around =>
  (exchange, next) => {
    const { path, operation, source, namespace } = exchange.request;
    if (!source.openPaths?.has(path) || namespace) return next();
    const match = mounts.system.router.match(path.slice(mounts.system.path.length));
    if (!match?.route.operations[operation]) return next();
    exchange.mount = mounts.system;
    exchange.match = match;
    return callHandler(exchange);
  };
