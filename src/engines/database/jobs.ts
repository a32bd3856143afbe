/** What runs on whichever process leads: rotations that are due, rotations left half-way, and users that nobody got. */
import type { LongJob, Tick } from "../../api/engine.ts";
import { endForsakenUsers } from "./intent.ts";
import { type DueRotation, dueRotations, moveRotation } from "./queue.ts";
import { rotateRoot, settleRoot } from "./root-rotation.ts";
import { isMissed, nextTime } from "./schedule.ts";
import type { DatabaseServices } from "./services.ts";
import { putStaticRole } from "./static-role.ts";
import { rotateStaticRole } from "./static-rotation.ts";

const batch = 64;
const atOnce = 8;
const retryMs = 60_000;

export const rotationJob: LongJob<DatabaseServices> = {
  name: "rotation",
  everySeconds: 1,
  async work(tick) {
    const { now, transaction } = tick;
    const due = await transaction(({ storage }) => dueRotations(now.getTime(), batch, storage));
    const queue = [...due];
    const workers = Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next && !tick.signal.aborted; next = queue.shift()) await rotateDue(next, tick);
    });
    await Promise.all(workers);
  },
};

export const recoveryJob: LongJob<DatabaseServices> = {
  name: "recovery",
  everySeconds: 30,
  async work({ now, signal, transaction }) {
    for (const name of await transaction(({ rootIntents }) => rootIntents.list())) {
      if (signal.aborted) return;
      await settleRoot(transaction, name).catch((error: unknown) =>
        transaction(async ({ log }) =>
          log.warn("a root rotation could not be settled yet", { connection: name, error: String(error) }),
        ),
      );
    }
    await endForsakenUsers(transaction, now, signal);
  },
};

async function rotateDue(due: DueRotation, tick: Tick<DatabaseServices>): Promise<void> {
  const { transaction } = tick;
  const isWanted = await transaction((services) =>
    (due.kind === "static" ? expectStatic : expectRoot)(due, tick.now, services),
  );
  if (!isWanted) return;
  try {
    if (due.kind === "static") await rotateStaticRole(transaction, due.name);
    else await rotateRoot(transaction, due.name);
  } catch (error) {
    await transaction(async (services) => {
      services.log.warn("a rotation failed and will be tried again", {
        [due.kind === "static" ? "role" : "connection"]: due.name,
        error: String(error),
      });
      if (due.kind === "root") await postponeRoot(due, services);
      else await postponeStatic(due, services);
    });
  }
}

/** A stray entry goes; one whose window is over waits for its next time. */
async function expectStatic(due: DueRotation, now: Date, services: DatabaseServices): Promise<boolean> {
  const role = await services.staticRoles.get(due.name);
  if (!role || role.queued_at !== due.at) {
    moveRotation(due.at, 0, due, services.storage);
    return false;
  }
  if (role.pending || !isMissed(role.schedule, role.next_rotation, now.getTime())) return true;
  const next_rotation = await nextTime(role.schedule, now.getTime());
  putStaticRole(due.name, role, { ...role, next_rotation, queued_at: next_rotation }, services);
  return false;
}

async function expectRoot(due: DueRotation, now: Date, services: DatabaseServices): Promise<boolean> {
  const connection = await services.connections.get(due.name);
  if (!connection || connection.next_rotation !== due.at) {
    moveRotation(due.at, 0, due, services.storage);
    return false;
  }
  if (!isMissed(connection.schedule, due.at, now.getTime())) return true;
  const next_rotation = await nextTime(connection.schedule, now.getTime());
  moveRotation(due.at, next_rotation, due, services.storage);
  services.connections.put(due.name, { ...connection, next_rotation });
  return false;
}

async function postponeRoot(due: DueRotation, services: DatabaseServices): Promise<void> {
  const connection = await services.connections.get(due.name);
  if (!connection || connection.next_rotation !== due.at) return;
  const next_rotation = services.clock.now() + retryMs;
  moveRotation(due.at, next_rotation, due, services.storage);
  services.connections.put(due.name, { ...connection, next_rotation });
}

/** A failure before the database was asked has noted nothing. */
async function postponeStatic(due: DueRotation, services: DatabaseServices): Promise<void> {
  const role = await services.staticRoles.get(due.name);
  if (!role || role.queued_at !== due.at) return;
  putStaticRole(due.name, role, { ...role, queued_at: services.clock.now() + retryMs }, services);
}
