/** Identity as the core takes it in: the paths under `identity/`, and what logins and requests ask. */
import type { Storage } from "../api/engine.ts";
import type { PageRequest } from "../api/list-fields.ts";
import type { Path } from "../api/path.ts";
import { effectiveIdentity, entityExists } from "./effective.ts";
import { entityPaths } from "./entity.paths.ts";
import { Entities } from "./entity.ts";
import { entityAliasPaths } from "./entity-alias.paths.ts";
import { groupPaths } from "./group.paths.ts";
import { groupAliasPaths } from "./group-alias.paths.ts";
import type { IdentityHost } from "./host.ts";
import { loginAlias, refreshGroups } from "./login.ts";
import { lookupPaths } from "./lookup.paths.ts";
import { IdentityServices } from "./services.ts";

const paths: readonly Path<IdentityServices>[] = [
  ...entityPaths,
  ...entityAliasPaths,
  ...groupPaths,
  ...groupAliasPaths,
  ...lookupPaths,
];

/** `storage` is always what the identity mount of one namespace keeps, in one transaction. */
export const identity = {
  type: "identity",
  kind: "secrets",
  summary: "Entities, groups and what mounts call them",
  paths,
  /** What the handlers of the paths work with. */
  services: (storage: Storage, host: IdentityHost) => new IdentityServices(storage, host),
  /** At each login. */
  loginAlias,
  /** At each renewal of a token whose auth method tells groups. */
  refreshGroups,
  /** At each request of a token with an entity. */
  effective: effectiveIdentity,
  exists: entityExists,
  entityIds: (storage: Storage, page: PageRequest) => new Entities(storage).list(page),
} as const;
