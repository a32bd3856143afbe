/** A namespace: a part of the server with mounts, tokens, policies and people of its own. */

export interface Namespace {
  /** Short; tokens, accessors and leases that belong to it end in a dot and this. */
  readonly id: string;
  /** Names its records in storage. */
  readonly uuid: string;
  /** From the root, with a slash at its end: `team/web/`. Empty for the root itself. */
  readonly path: string;
}

/** The one that is always there: its records have no prefix, and its tokens no suffix. */
export const rootNamespace: Namespace = { id: "root", uuid: "00000000-0000-4000-8000-000000000000", path: "" };

export const isRootNamespace = ({ id }: Namespace): boolean => id === rootNamespace.id;

/** Whether one is the other, or lies below it. */
export const isWithin = (inner: Namespace, outer: Namespace): boolean => inner.path.startsWith(outer.path);

/** The way from one namespace down to another that lies within it; empty when they are the same. */
export const wayDown = (from: Namespace, to: Namespace): string => to.path.slice(from.path.length);

/** What names of things in this namespace end in. */
export const suffixOf = (namespace: Namespace): string => (isRootNamespace(namespace) ? "" : `.${namespace.id}`);

/** Only what names a namespace, of a record that says more about it. */
export const reference = ({ id, uuid, path }: Namespace): Namespace => ({ id, uuid, path });
