/**
 * Root rotation where the database makes the secrets: a second root user is made and proved before the first is given up,
 * so that no lost answer can lock us out.
 */
import { randomBase62 } from "../../lib/base62.ts";
import { DatabaseFailure, refused } from "./failure.ts";
import { findConnection } from "./find-connection.ts";
import { type RootRotation, replaceSecret, withSecret } from "./root-secret.ts";

export async function rotateBySuccession(rotation: RootRotation): Promise<void> {
  const { transact, fence, name, databases } = rotation;
  const { connection, successor } = await transact(async (services) => {
    await fence(services);
    const successor = `root-${randomBase62(20, services.random)}`;
    services.rootIntents.put(name, { kind: "successor", name: successor });
    return { connection: await findConnection(name, services), successor };
  });
  try {
    const made = await databases.use(name, connection, async (database) => {
      if (!database.root) throw refused("the plugin cannot rotate the root credential");
      return database.root.succeed(successor);
    });
    await databases.tryOut(name, withSecret(connection, made.secret, databases), (database) => database.verify());
    await transact(async (services) => {
      await fence(services);
      services.rootIntents.put(name, { kind: "predecessor", name: made.predecessor });
      await replaceSecret(name, await findConnection(name, services), made.secret, services);
    });
    databases.drop(name);
    await finishSuccession(made.predecessor, rotation);
  } catch (error) {
    await undoIfNotBegun(error, rotation, successor);
    throw error;
  }
}

/** Nothing of the old root user was touched yet: the new one goes, now or when the database is back. */
async function undoIfNotBegun(error: unknown, rotation: RootRotation, successor: string): Promise<void> {
  const { transact, name } = rotation;
  const intent = await transact(({ rootIntents }) => rootIntents.get(name)).catch(() => undefined);
  if (intent?.kind !== "successor") return;
  if (error instanceof DatabaseFailure && error.reason === "refused") {
    await undoSuccession(successor, rotation).catch(() => undefined);
  }
}

export async function undoSuccession(
  successor: string,
  { transact, fence, name, databases }: RootRotation,
): Promise<void> {
  const connection = await transact((services) => findConnection(name, services));
  await databases.use(name, connection, async (database) => database.root?.remove(successor));
  await transact(async (services) => {
    await fence(services);
    services.rootIntents.delete(name);
  });
}

export async function finishSuccession(predecessor: string, rotation: RootRotation): Promise<void> {
  const { transact, fence, name, databases } = rotation;
  const connection = await transact((services) => findConnection(name, services));
  await databases.use(name, connection, async (database) => database.root?.remove(predecessor));
  await transact(async (services) => {
    await fence(services);
    services.rootIntents.delete(name);
  });
}
