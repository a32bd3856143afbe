/** What the core asks of identity: who an alias is, and what being somebody brings. */
import type { Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import type { IdentityView } from "./policies/templating.ts";

export interface IdentityLink {
  /** The entity behind an alias, made on first sight; undefined when it may not log in. */
  login(alias: LoginAlias, storage: Storage, now: Date): Promise<string | undefined>;
  /** At a renewal: the groups that the auth method vouched for are those that it is in, as far as there are such groups now. */
  refreshGroups(entityId: string, groups: LoginGroups, storage: Storage): Promise<void>;
  /** What an entity brings to its tokens now: changes of groups act on live tokens. */
  of(entityId: string, storage: Storage, now: Date): Promise<IdentityGrant>;
  /** Ids of all entities of the namespace, page by page. */
  entityIds(storage: Storage, page: PageRequest): Promise<string[]>;
}

export interface LoginGroups {
  readonly mountAccessor: string;
  /** By the names of their aliases. */
  readonly groupAliases: readonly string[];
}

export interface LoginAlias {
  readonly mountAccessor: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly groupAliases: readonly string[] | undefined;
}

export interface IdentityGrant {
  /** False for an entity that is disabled or gone: its tokens are refused. */
  readonly isActive: boolean;
  readonly policies: readonly string[];
  readonly view: IdentityView;
}
