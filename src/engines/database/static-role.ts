/** A static role as it is stored: an existing database user, what it proves itself with, and when that is replaced. */
import { hash } from "node:crypto";
import { Collection } from "../../api/collection.ts";
import { invalidRequest } from "../../api/errors.ts";
import { type CredentialConfig, shownConfig } from "./credential-config.ts";
import type { CredentialType, DatabaseCredential } from "./plugin.ts";
import { moveRotation } from "./queue.ts";
import { type Schedule, scheduleFields } from "./schedule.ts";
import type { DatabaseServices } from "./services.ts";

export interface KnownCredential {
  /** What the database is told, to be told again if the answer is lost. */
  readonly forDatabase: DatabaseCredential;
  /** What callers are given. */
  readonly shown: Readonly<Record<string, string>>;
}

export interface StaticRole {
  readonly username: string;
  readonly db_name: string;
  readonly rotation_statements: readonly string[];
  readonly credential_type: CredentialType;
  readonly credential_config: CredentialConfig;
  readonly schedule: Schedule | undefined;
  /** Undefined until the first rotation. */
  readonly credential: KnownCredential | undefined;
  /** The database may have been told this one; whatever became of it, it is told again. */
  readonly pending: KnownCredential | undefined;
  /** Milliseconds since the epoch; 0 for never. */
  readonly last_rotation: number;
  readonly next_rotation: number;
  /** When the queue looks at it: later than `next_rotation` after a failure. */
  readonly queued_at: number;
}

export const timeText = (at: number): string | undefined => (at === 0 ? undefined : new Date(at).toISOString());

export function shownStaticRole(role: StaticRole) {
  const config = shownConfig(role.credential_config);
  const last = timeText(role.last_rotation);
  return {
    username: role.username,
    db_name: role.db_name,
    rotation_statements: role.rotation_statements,
    credential_type: role.credential_type,
    ...(config && { credential_config: config }),
    ...shownSchedule(role.schedule),
    ...(last !== undefined && { last_service_rotation: last, last_vault_rotation: last }),
  };
}

/** A schedule shows the fields that make it, and a period shows none of the others. */
export function shownSchedule(schedule: Schedule | undefined) {
  const { rotation_period, rotation_schedule, rotation_window } = scheduleFields(schedule);
  if (schedule?.kind !== "cron") return { rotation_period };
  return { rotation_period, rotation_schedule, rotation_window };
}

export async function findStaticRole(name: string, { staticRoles }: DatabaseServices): Promise<StaticRole> {
  const role = await staticRoles.get(name);
  if (!role) throw invalidRequest(`no static role found for role name: ${name}`);
  return role;
}

/** Stores the role and moves it in the queue. */
export function putStaticRole(
  name: string,
  before: StaticRole | undefined,
  after: StaticRole,
  services: DatabaseServices,
): void {
  moveRotation(before?.queued_at ?? 0, after.queued_at, { kind: "static", name }, services.storage);
  services.staticRoles.put(name, after);
}

interface UserEntry {
  readonly role: string;
}

/** Which role has a user: two of them would replace one another's passwords. */
export const usersOf = ({ storage }: DatabaseServices, connection: string) =>
  new Collection<UserEntry>(storage, `static-user/${connection}/`);

export const userKey = (username: string): string => hash("sha256", username, "base64url");

export async function claimUser(
  name: string,
  { db_name, username }: StaticRole,
  services: DatabaseServices,
): Promise<void> {
  const users = usersOf(services, db_name);
  const holder = await users.get(userKey(username));
  if (holder && holder.role !== name && (await services.staticRoles.has(holder.role))) {
    throw invalidRequest(
      `the static role ${JSON.stringify(holder.role)} manages the user ${JSON.stringify(username)} already; ` +
        "two roles would replace one another's credentials",
    );
  }
  users.put(userKey(username), { role: name });
}

export function forgetStaticRole(name: string, role: StaticRole, services: DatabaseServices): void {
  moveRotation(role.queued_at, 0, { kind: "static", name }, services.storage);
  usersOf(services, role.db_name).delete(userKey(role.username));
  services.staticRoles.delete(name);
}
