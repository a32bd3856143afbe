/** Finds the namespace that a request is about, and leaves the rest of its path to the stages that follow. */
import { ApiError } from "../../api/errors.ts";
import { type AtHand, withValue } from "../../lib/at-hand.ts";
import type { Namespace } from "../namespaces/namespace.ts";
import { isRootNamespace, reference, rootNamespace } from "../namespaces/namespace.ts";
import { reservedNames } from "../namespaces/namespace-name.ts";
import { storageOf } from "../namespaces/namespace-storage.ts";
import { type Place, resolvePlace } from "../namespaces/resolve.ts";
import { isRootOnly, unavailableInNamespaces } from "../namespaces/root-only.ts";
import type { Exchange } from "./exchange.ts";
import type { Before } from "./pipeline.ts";

/** The one thing that can be done in a namespace that is locked. */
const unlockPath = "sys/namespaces/api-lock/unlock";

export const enterNamespace: Before = {
  before(exchange) {
    const { received } = exchange;
    // Most requests are about the root, and are told so by the first segment of their path.
    if (received.namespace || !reservedNames.has(firstSegment(received.path))) return enter(exchange);
    exchange.namespace = rootNamespace;
    exchange.storage = exchange.transaction;
    return undefined;
  },
};

function enter(exchange: Exchange): AtHand<void> {
  const { received } = exchange;
  const transaction = exchange.transaction!;
  return withValue(
    resolvePlace(received.namespace ?? "", received.path, transaction),
    ({ namespace, path, locked }) => {
      exchange.namespace = isRootNamespace(namespace) ? rootNamespace : reference(namespace);
      exchange.storage = storageOf(exchange.namespace, transaction);
      exchange.request = path === received.path ? received : { ...received, path };
      if (locked && !isWayOut({ namespace, path, locked })) throw lockedOut(locked);
      if (!isRootNamespace(namespace) && isRootOnly(path)) throw unavailableInNamespaces();
    },
  );
}

const firstSegment = (path: string): string => {
  const slash = path.indexOf("/");
  return slash < 0 ? path : path.slice(0, slash);
};

const isWayOut = ({ namespace, path, locked }: Place) => namespace.id === locked?.id && path === unlockPath;

const lockedOut = ({ path }: Namespace) =>
  new ApiError(503, `API access to the namespace ${JSON.stringify(path)} is locked: it must be unlocked first`);
