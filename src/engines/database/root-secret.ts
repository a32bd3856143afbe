/** The root secret of a connection, and what is noted while it is replaced. */
import { randomBase62 } from "../../lib/base62.ts";
import type { Connection } from "./connection.ts";
import type { Fence } from "./lock.ts";
import { moveRotation } from "./queue.ts";
import { nextTime } from "./schedule.ts";
import type { DatabaseServices, Transact } from "./services.ts";

/** A rotation that was begun. */
export type RootIntent =
  | { readonly kind: "password"; readonly secret: string }
  /** A new root user is being made. */
  | { readonly kind: "successor"; readonly name: string }
  /** The new root user is in place, and the old one is to go. */
  | { readonly kind: "predecessor"; readonly name: string };

export interface RootRotation {
  readonly transact: Transact;
  readonly fence: Fence;
  readonly name: string;
  readonly databases: DatabaseServices["databases"];
}

export const withSecret = (
  connection: Connection,
  secret: string,
  databases: DatabaseServices["databases"],
): Connection => ({
  ...connection,
  details: { ...connection.details, [databases.pluginOf(connection).rootSecret]: secret },
});

/** The new secret in its place, under a new revision, and the next rotation in the queue. */
export async function replaceSecret(
  name: string,
  connection: Connection,
  secret: string,
  services: DatabaseServices,
): Promise<void> {
  const now = services.clock.now();
  const next_rotation = await nextTime(connection.schedule, now);
  moveRotation(connection.next_rotation, next_rotation, { kind: "root", name }, services.storage);
  services.connections.put(name, {
    ...withSecret(connection, secret, services.databases),
    revision: randomBase62(12, services.random),
    last_rotation: now,
    next_rotation,
  });
}
