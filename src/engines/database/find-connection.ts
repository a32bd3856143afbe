/** Finds the connection that a role names, and refuses one that is not the role's to use. */
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { allows, type Connection } from "./connection.ts";
import { DatabaseFailure } from "./failure.ts";
import type { DatabaseServices, Transact } from "./services.ts";

export async function findConnection(name: string, { connections }: DatabaseServices): Promise<Connection> {
  const connection = await connections.get(name);
  if (!connection) throw invalidRequest(`failed to find entry for connection with name: ${JSON.stringify(name)}`);
  return connection;
}

export async function connectionFor(role: string, dbName: string, services: DatabaseServices): Promise<Connection> {
  const connection = await findConnection(dbName, services);
  if (allows(connection, role)) return connection;
  throw invalidRequest(
    `${JSON.stringify(role)} is not an allowed role: allowed_roles of the connection ${JSON.stringify(dbName)} does not name it`,
  );
}

/**
 * Tries again when the connection was changed meanwhile: a root credential may have been rotated between reading it
 * and using it. Only where it is certain that nothing happened.
 */
export async function withCurrentConnection<T>(
  transact: Transact,
  name: string,
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  try {
    return await work(connection);
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || !error.isCertain) throw error;
    const current = await transact(({ connections }) => connections.get(name));
    if (!current || current.revision === connection.revision) throw error;
    return work(current);
  }
}

/** A failure that leaves work to be done later says so. */
export const continued = (error: unknown, words: string): unknown =>
  error instanceof ApiError ? new ApiError(error.status, `${words}: ${error.message}`) : error;
