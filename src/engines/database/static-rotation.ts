/**
 * Replaces the credential of a static role. The new one is durable before the database hears of it, and a rotation whose outcome
 * nobody knows is done again with the same one, until it is certain.
 */

import type { Connection } from "./connection.ts";
import { makeCredential } from "./credential.ts";
import { DatabaseFailure } from "./failure.ts";
import { connectionFor, withCurrentConnection } from "./find-connection.ts";
import { withLock } from "./lock.ts";
import { settleRoot } from "./root-rotation.ts";
import { nextTime } from "./schedule.ts";
import type { DatabaseServices, Transact } from "./services.ts";
import { findStaticRole, type KnownCredential, putStaticRole, type StaticRole } from "./static-role.ts";

const retryMs = 10_000;
/** After this long, a rotation that was begun and not ended is taken up by the job. */
const abandonedMs = 60_000;

interface Plan {
  readonly role: StaticRole;
  readonly connection: Connection;
  readonly credential: KnownCredential;
  /** An earlier attempt left it behind. */
  readonly isInherited: boolean;
  readonly databases: DatabaseServices["databases"];
}

/** Throws after having noted when to try again. */
export function rotateStaticRole(transact: Transact, name: string): Promise<void> {
  return withLock(transact, `static/${name}`, async (fence) => {
    const { db_name } = await transact((services) => findStaticRole(name, services));
    await settleRoot(transact, db_name);
    const plan = await transact(async (services) => {
      await fence(services);
      return makePlan(name, services);
    });
    let credential = plan.credential;
    try {
      credential = await act(plan, transact);
    } catch (error) {
      await transact((services) => noteFailure(name, plan, error, services)).catch(() => undefined);
      throw error;
    }
    await transact(async (services) => {
      await fence(services);
      await complete(name, credential, services);
    });
  });
}

async function makePlan(name: string, services: DatabaseServices): Promise<Plan> {
  const role = await findStaticRole(name, services);
  const connection = await connectionFor(name, role.db_name, services);
  const { credential_type: type, credential_config: config, username, pending } = role;
  const wanted = { type, config, username, expires: new Date(services.clock.now()) };
  const credential = pending ?? (await makeCredential(wanted, connection, services));
  // A process that dies from here on leaves it in the queue, whatever the schedule says.
  const queued_at = services.clock.now() + abandonedMs;
  putStaticRole(name, role, { ...role, pending: credential, queued_at }, services);
  return { role, connection, credential, isInherited: pending !== undefined, databases: services.databases };
}

async function act({ role, connection, credential, databases }: Plan, transact: Transact): Promise<KnownCredential> {
  const { username, db_name, rotation_statements: statements } = role;
  const change = { username, credential: credential.forDatabase, statements };
  const secret = await withCurrentConnection(transact, db_name, connection, (current) =>
    databases.use(db_name, current, (database) => database.changeCredential(change), Object.values(credential.shown)),
  );
  return secret === undefined ? credential : { ...credential, shown: { password: secret } };
}

async function complete(name: string, credential: KnownCredential, services: DatabaseServices): Promise<void> {
  const role = await findStaticRole(name, services);
  const now = services.clock.now();
  const next_rotation = await nextTime(role.schedule, now);
  const times = { last_rotation: now, next_rotation, queued_at: next_rotation };
  putStaticRole(name, role, { ...role, credential, pending: undefined, ...times }, services);
}

/** What the database certainly did not take is forgotten, so that the next attempt brings another. */
async function noteFailure(name: string, plan: Plan, error: unknown, services: DatabaseServices): Promise<void> {
  const role = await services.staticRoles.get(name);
  if (!role) return;
  const isForgotten = !plan.isInherited && error instanceof DatabaseFailure && error.isCertain;
  const isTriedAgain = role.next_rotation > 0 || !isForgotten;
  const queued_at = isTriedAgain ? services.clock.now() + retryMs : 0;
  putStaticRole(name, role, { ...role, pending: isForgotten ? undefined : role.pending, queued_at }, services);
}
