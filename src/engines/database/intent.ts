/** Users that are being made: noted before the database is asked, so that a crash leaves none that nobody ends. */
import { randomBase62 } from "../../lib/base62.ts";
import type { DatabaseServices, Transact } from "./services.ts";

export interface CredentialIntent {
  readonly db_name: string;
  readonly role: string;
  readonly username: string;
  readonly revocation_statements: readonly string[];
}

const digits = 14;
/** Longer than the making of a user may take with all its waiting: after that there is no lease to come. */
const graceMs = 5 * 60_000;
const most = 100;

/** Answers the intent's id, which sorts by time. */
export function putIntent(intent: CredentialIntent, services: DatabaseServices): string {
  const id = `${String(services.clock.now()).padStart(digits, "0")}-${randomBase62(12, services.random)}`;
  services.intents.put(id, intent);
  return id;
}

export async function endUser(intent: CredentialIntent, services: DatabaseServices): Promise<void> {
  const connection = await services.connections.get(intent.db_name);
  // Deleted by force: there is nobody left to ask.
  if (!connection) return;
  const statements = (await services.roles.get(intent.role))?.revocation_statements ?? intent.revocation_statements;
  await services.databases.use(intent.db_name, connection, (database) =>
    database.deleteUser({ username: intent.username, statements }),
  );
}

/** Deletes users whose lease never came about: their request died between the database and the store. */
export async function endForsakenUsers(transact: Transact, now: Date, signal: AbortSignal): Promise<void> {
  for (let after = ""; !signal.aborted; ) {
    const ids = await transact(({ intents }) => intents.list({ after, limit: most }));
    const forsaken = ids.filter((id) => Number(id.slice(0, digits)) <= now.getTime() - graceMs);
    for (const id of forsaken) await transact((services) => endForsaken(id, services));
    if (forsaken.length < most) return;
    after = forsaken.at(-1)!;
  }
}

async function endForsaken(id: string, services: DatabaseServices): Promise<void> {
  const intent = await services.intents.get(id);
  if (!intent) return;
  const { db_name: connection, role } = intent;
  try {
    await endUser(intent, services);
    services.intents.delete(id);
    services.log.info("a database user without a lease was ended", { connection, role });
  } catch (error) {
    services.log.warn("a database user without a lease could not be ended yet", {
      connection,
      role,
      error: String(error),
    });
  }
}
