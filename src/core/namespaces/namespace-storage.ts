/** The records of one namespace: a part of the store under a prefix of its own, except for the root, which has none. */
import type { Storage } from "../../api/engine.ts";
import { StorageView } from "../storage/view.ts";
import { isRootNamespace, type Namespace, rootNamespace } from "./namespace.ts";

/** Named by the uuid and not by the path, so that keys do not grow with depth and a new namespace never finds old records. */
export const namespacePrefix = ({ uuid }: Namespace): string => `namespaces/${uuid}/`;

class NamespaceStorage extends StorageView {
  readonly namespace: Namespace;
  /** All of the store, for the few things that all namespaces have in common, such as the order of what ends when. */
  readonly whole: Storage;

  constructor(whole: Storage, namespace: Namespace) {
    super(whole, namespacePrefix(namespace));
    this.whole = whole;
    this.namespace = namespace;
  }
}

export const storageOf = (namespace: Namespace, whole: Storage): Storage =>
  isRootNamespace(namespace) ? whole : new NamespaceStorage(whole, namespace);

export interface Scope {
  readonly namespace: Namespace;
  readonly whole: Storage;
}

/** Which namespace a storage belongs to. What is not a namespace's own is the whole store, and so the root's. */
export const scopeOf = (storage: Storage): Scope =>
  storage instanceof NamespaceStorage ? storage : { namespace: rootNamespace, whole: storage };
