/** What the handlers, leases and jobs of this engine work with. */
import { Collection } from "../../api/collection.ts";
import type { Clock, Log, Mount, MountInfo, Random, Storage } from "../../api/engine.ts";
import type { Connection } from "./connection.ts";
import type { CredentialIntent } from "./intent.ts";
import type { OpenDatabases } from "./open-databases.ts";
import type { Role } from "./role.ts";
import type { RootIntent } from "./root-secret.ts";
import type { StaticRole } from "./static-role.ts";

export interface DatabaseServices {
  readonly connections: Collection<Connection>;
  readonly roles: Collection<Role>;
  readonly staticRoles: Collection<StaticRole>;
  readonly rootIntents: Collection<RootIntent>;
  readonly intents: Collection<CredentialIntent>;
  readonly storage: Storage;
  readonly databases: OpenDatabases;
  readonly mount: MountInfo;
  readonly random: Random;
  readonly clock: Clock;
  readonly log: Log;
  generatePassword(policy: string): Promise<string>;
}

/** Commits what `work` wrote, and runs it again on a conflict. */
export type Transact = <T>(work: (services: DatabaseServices) => Promise<T>) => Promise<T>;

export const databaseServices = (mount: Mount<OpenDatabases>): DatabaseServices => {
  const { storage, host, state } = mount;
  return {
    connections: new Collection(storage, "config/"),
    roles: new Collection(storage, "role/"),
    staticRoles: new Collection(storage, "static-role/"),
    rootIntents: new Collection(storage, "root-intent/"),
    intents: new Collection(storage, "intent/"),
    storage,
    databases: state,
    mount: host.mount,
    random: host.random,
    clock: host.clock,
    log: host.log,
    generatePassword: (policy) => mount.generatePassword(policy),
  };
};
