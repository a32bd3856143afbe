/** What identity needs of the server around it, for one transaction. */
import type { Random } from "../api/engine.ts";

export interface IdentityHost {
  readonly random: Random;
  /** Of the namespace that these people and groups belong to. */
  readonly namespaceId: string;
  /** The mount with this accessor, as this transaction sees the table. */
  mountByAccessor(accessor: string): Promise<KnownMount | undefined>;
}

export interface KnownMount {
  /** Ends in a slash; an auth method's path begins with `auth/`. */
  readonly path: string;
  readonly type: string;
  readonly local: boolean;
  /** Where it is not in the namespace of the request. */
  readonly namespaceId?: string | undefined;
}

export const rootNamespaceId = "root";
