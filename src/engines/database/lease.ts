/** How users that were made end with their leases, and live on with them. */
import type { LeaseKind } from "../../api/engine.ts";
import { invalidRequest } from "../../api/errors.ts";
import { findConnection } from "./find-connection.ts";
import { type CredentialIntent, endUser } from "./intent.ts";
import type { DatabaseServices } from "./services.ts";

interface LeaseSecret extends CredentialIntent {
  readonly id: string;
}

/** Tells which users a connection still has. */
const liveKey = ({ db_name, id }: LeaseSecret) => `live/${db_name}/${id}`;

const present = new Uint8Array([123, 125]);

export const hasLiveUsers = async (connection: string, { storage }: DatabaseServices): Promise<boolean> =>
  (await storage.list(`live/${connection}/`, { limit: 1 })).length > 0;

export const credentialLease: LeaseKind<DatabaseServices> = {
  /** From here on the lease ends the user, and the intent is no longer needed. */
  async registered(given, { intents, storage }) {
    const secret = given as unknown as LeaseSecret;
    intents.delete(secret.id);
    storage.put(liveKey(secret), present);
  },

  async revoke(given, services) {
    const secret = given as unknown as LeaseSecret;
    await endUser(secret, services);
    services.storage.delete(liveKey(secret));
  },

  async renew(given, services, { expires }) {
    const { role: name, db_name, username } = given as unknown as LeaseSecret;
    const role = await services.roles.get(name);
    if (!role) throw invalidRequest(`could not find role with name ${JSON.stringify(name)}`);
    const connection = await findConnection(db_name, services);
    await services.databases.use(db_name, connection, async (database) =>
      database.renewUser?.({ username, expires, statements: role.renew_statements }),
    );
  },
};
