/** While sealed, only the paths that say so answer; unsealed, those answer too, and need neither token nor store. */
import { sealed } from "../../api/errors.ts";
import type { Mounts } from "../mounts/mounts.ts";
import { isRootOnly, unavailableInNamespaces } from "../namespaces/root-only.ts";
import { callHandler } from "./dispatch.ts";
import type { Around } from "./pipeline.ts";

export const sealGate =
  (mounts: Mounts, isSealed: () => boolean): Around =>
  (exchange, next) => {
    const { path, operation, namespace } = exchange.request;
    if (namespace && isRootOnly(path)) return Promise.reject(unavailableInNamespaces());
    if (path.startsWith("sys/")) {
      const match = mounts.system.router.match(path.slice("sys/".length));
      if (match?.route.path.whileSealed && match.route.operations[operation]) {
        exchange.mount = mounts.system;
        exchange.match = match;
        return callHandler(exchange);
      }
    }
    if (isSealed()) return Promise.reject(sealed());
    return next();
  };

/** Explaining needs a token, and so the store. */
export const requireUnsealed =
  (seal: { readonly barrier: { readonly isSealed: boolean } }): Around =>
  (_exchange, next) =>
    seal.barrier.isSealed ? Promise.reject(sealed()) : next();
