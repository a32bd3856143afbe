/**
 * Replaces the root credential of a connection. The new secret is durable before the database hears of it; after a crash or a
 * lost answer the new one is tried, then the old one, and the rotation goes on from there: a credential that works is always known.
 */
import { invalidRequest } from "../../api/errors.ts";
import type { Connection } from "./connection.ts";
import { makePassword } from "./credential.ts";
import { DatabaseFailure } from "./failure.ts";
import { continued, findConnection } from "./find-connection.ts";
import { withLock } from "./lock.ts";
import type { AnyPlugin } from "./plugin.ts";
import { type RootIntent, type RootRotation, replaceSecret, withSecret } from "./root-secret.ts";
import type { DatabaseServices, Transact } from "./services.ts";
import { finishSuccession, rotateBySuccession, undoSuccession } from "./succession.ts";

export async function rotateRoot(transact: Transact, name: string): Promise<void> {
  const databases = await transact(async (services) => services.databases);
  try {
    await withLock(transact, `root/${name}`, (fence) => rotate({ transact, fence, name, databases }));
  } finally {
    databases.drop(name);
  }
}

/** Finishes a rotation that was left half-way; does nothing where there is none. */
export async function settleRoot(transact: Transact, name: string): Promise<void> {
  const isOpen = await transact(async ({ rootIntents }) => (await rootIntents.get(name)) !== undefined);
  if (!isOpen) return;
  const databases = await transact(async (services) => services.databases);
  await withLock(transact, `root/${name}`, async (fence) => {
    const intent = await transact(({ rootIntents }) => rootIntents.get(name));
    if (intent) await resume(intent, { transact, fence, name, databases });
  });
}

async function rotate(rotation: RootRotation): Promise<void> {
  const { transact, name } = rotation;
  const intent = await transact(({ rootIntents }) => rootIntents.get(name));
  if (intent) return resume(intent, rotation);
  const plugin = await transact(async (services) => services.databases.pluginOf(await findConnection(name, services)));
  if (plugin.makesSecrets) return rotateBySuccession(rotation);
  await transact((services) => begin(rotation, services));
  try {
    await act(rotation);
  } catch (error) {
    if (error instanceof DatabaseFailure && error.isCertain) {
      await transact(async ({ rootIntents }) => rootIntents.delete(name));
      throw error;
    }
    throw continued(error, "the outcome of the rotation is not known yet; it is settled in the background");
  }
  await complete(rotation);
}

async function begin({ fence, name }: RootRotation, services: DatabaseServices): Promise<void> {
  await fence(services);
  const connection = await findConnection(name, services);
  const plugin = services.databases.pluginOf(connection);
  requireRotatable(connection, plugin);
  const secret = await makePassword(undefined, connection, services);
  services.rootIntents.put(name, { kind: "password", secret });
}

function requireRotatable({ details }: Connection, { rootSecret }: AnyPlugin): void {
  for (const field of ["username", rootSecret]) {
    if (details[field] === undefined || details[field] === "") {
      throw invalidRequest(`unable to rotate root credentials: no ${field} in configuration`);
    }
  }
}

/** Tells the database, then proves that the new credential holds. */
async function act({ transact, name, databases }: RootRotation): Promise<void> {
  const [connection, intent] = await transact(async (services) => [
    await findConnection(name, services),
    await services.rootIntents.get(name),
  ]);
  if (intent?.kind !== "password") throw invalidRequest("there is no rotation to go on with");
  const { secret } = intent;
  const change = {
    username: String(connection.details["username"]),
    credential: { type: "password", password: secret } as const,
    statements: connection.root_rotation_statements,
  };
  await databases.use(name, connection, (database) => database.changeCredential(change), [secret]);
  await proveOrDoubt(name, withSecret(connection, secret, databases), databases);
}

/** The change was accepted: a proof that fails now makes nothing certain. */
async function proveOrDoubt(
  name: string,
  changed: Connection,
  databases: DatabaseServices["databases"],
): Promise<void> {
  try {
    await databases.tryOut(name, changed, (database) => database.verify());
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error;
    throw new DatabaseFailure(error.reason, error.message, { isCertain: false });
  }
}

async function complete({ transact, fence, name }: RootRotation): Promise<void> {
  await transact(async (services) => {
    await fence(services);
    const connection = await findConnection(name, services);
    const intent = await services.rootIntents.get(name);
    if (intent?.kind !== "password") return;
    services.rootIntents.delete(name);
    await replaceSecret(name, connection, intent.secret, services);
  });
}

async function resume(intent: RootIntent, rotation: RootRotation): Promise<void> {
  const { transact, name, databases } = rotation;
  if (intent.kind === "successor") return undoSuccession(intent.name, rotation);
  if (intent.kind === "predecessor") return finishSuccession(intent.name, rotation);
  const connection = await transact((services) => findConnection(name, services));
  const changed = withSecret(connection, intent.secret, databases);
  const isChanged = await databases
    .tryOut(name, changed, (database) => database.verify())
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof DatabaseFailure && error.reason === "refused") return false;
      throw error;
    });
  // Going back is not safe: the change may still be under way in the database, and then come true.
  if (!isChanged) await act(rotation);
  await complete(rotation);
  databases.drop(name);
}
