/** Declares static roles, their credentials and their rotation. */
import { ApiError, absent, invalidRequest } from "../../api/errors.ts";
import { duration, flag, integer, items, sensitive, text, type Values, writeOnly } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { withPassword } from "./credential.ts";
import { DatabaseFailure } from "./failure.ts";
import { connectionFor, continued } from "./find-connection.ts";
import { nameField, requireName } from "./name.ts";
import {
  credentialFields,
  requireUnique,
  settledCredential,
  shownCredentialFields,
  statements,
} from "./role-fields.ts";
import { nextTime, readSchedule, type Schedule, scheduleFields } from "./schedule.ts";
import type { DatabaseServices } from "./services.ts";
import {
  claimUser,
  forgetStaticRole,
  putStaticRole,
  type StaticRole,
  shownSchedule,
  shownStaticRole,
  timeText,
  userKey,
  usersOf,
} from "./static-role.ts";
import { rotateStaticRole } from "./static-rotation.ts";

const path = pathsFor<DatabaseServices>();
const params = { name: nameField("static role") };

const inputFields = {
  username: text("Name of an existing user of the database; it stays").default(""),
  db_name: text("Name of the connection").default(""),
  rotation_period: duration("Time between rotations; at least 5 seconds").default(0),
  rotation_schedule: text("Cron schedule of rotations in UTC, such as 0 3 * * SAT, in place of a period").default(""),
  rotation_window: duration("How late a scheduled rotation may be; at least 1 hour, 0 for any time").default(0),
  disable_automated_rotation: flag("Rotate only when asked to").default(false),
  skip_import_rotation: flag("Do not rotate when the role is created").default(false),
  password: writeOnly(text("The user's present password, with skip_import_rotation").default("")),
  rotation_statements: statements("How the credential is replaced, where the plugin's own way does not do").default([]),
  ...credentialFields,
};

const scheduleOutput = {
  rotation_period: integer("Seconds between rotations; 0 where there is no period"),
  rotation_schedule: text("Cron schedule of rotations; absent where there is none").optional(),
  rotation_window: integer("Seconds by which a scheduled rotation may be late").optional(),
  last_service_rotation: text("When the credential was replaced last").optional(),
  last_vault_rotation: text("The same, under the name that older clients look for").optional(),
};

const staticRole = path({
  pattern: "static-roles/:name",
  summary: "Manage roles that keep the credential of one existing user",
  params,
  read: {
    summary: "Read a static role",
    output: {
      username: text("Name of the user"),
      db_name: text("Name of the connection"),
      rotation_statements: items("How the credential is replaced"),
      ...shownCredentialFields,
      ...scheduleOutput,
    },
    async handler({ name }, { services }) {
      const found = await services.staticRoles.get(requireName(name));
      if (!found) throw absent();
      return shownStaticRole(found);
    },
  },
  write: {
    summary: "Create a static role and replace the user's credential at once; or change one, which rotates nothing",
    effects: true,
    input: inputFields,
    exists: ({ name }, { services }) => services.staticRoles.has(name),
    async handler({ name, ...input }, context) {
      requireName(name);
      const { transaction } = context;
      const isNew = await transaction((services) => save(name, input, services, context));
      if (isNew && !input.skip_import_rotation) await firstRotation(name, context);
    },
  },
  delete: {
    summary: "Delete a static role; the user stays in the database with its last credential",
    async handler({ name }, { services }) {
      const found = await services.staticRoles.get(requireName(name));
      if (found) forgetStaticRole(name, found, services);
    },
  },
  examples: [{ operation: "write", request: { db_name: "search", username: "reporting", rotation_period: "24h" } }],
});

const staticRoles = path({
  pattern: "static-roles",
  summary: "List static roles",
  list: {
    summary: "List the names of static roles",
    input: pageFields,
    output: keysField,
    async handler(input, { services }) {
      const keys = await services.staticRoles.list(pageOf(input));
      if (keys.length === 0) throw absent();
      return { keys };
    },
  },
});

const staticCredentials = path({
  pattern: "static-creds/:name",
  summary: "The credential of a static role",
  params,
  read: {
    summary: "Read the present credential of a static role",
    output: {
      username: text("Name of the user"),
      password: sensitive(text("Password, or key that the database made")).optional(),
      rsa_private_key: sensitive(text("PEM (PKCS #8); of roles of the type rsa_private_key")).optional(),
      ttl: integer("Seconds until the next rotation; 0 when it is overdue, or when there is none"),
      ...scheduleOutput,
    },
    async handler({ name }, { services, now, warn }) {
      const role = await services.staticRoles.get(requireName(name));
      if (!role) throw invalidRequest(`unknown role: ${name}`);
      await connectionFor(name, role.db_name, services);
      if (!role.credential) {
        throw new ApiError(503, `the static role ${JSON.stringify(name)} has no credential yet; rotate it first`);
      }
      if (role.pending)
        warn("a rotation is under way or could not be finished yet; the credential may be replaced soon");
      return { username: role.username, ...role.credential.shown, ...rotationTimes(role, now) };
    },
  },
});

const rotation = path({
  pattern: "rotate-role/:name",
  summary: "Replace the credential of a static role now",
  params,
  write: {
    summary: "Replace the credential of a static role now",
    effects: true,
    async handler({ name }, { transaction }) {
      requireName(name);
      try {
        await rotateStaticRole(transaction, name);
      } catch (error) {
        if (!(error instanceof DatabaseFailure)) throw error;
        throw continued(error, "unable to finish rotating credentials; retries will continue in the background");
      }
    },
  },
});

export const staticRolePaths = [staticRole, staticRoles, staticCredentials, rotation];

type Input = Omit<Values<typeof inputFields>, "name">;
type Rules = Pick<Context<DatabaseServices>, "given" | "warn">;

/** Whether the role is new. */
async function save(name: string, input: Input, services: DatabaseServices, rules: Rules): Promise<boolean> {
  requireUnique(await services.roles.has(name));
  const before = await services.staticRoles.get(name);
  const { given } = rules;
  const username = given("username") || !before ? input.username : before.username;
  const db_name = given("db_name") || !before ? input.db_name : before.db_name;
  if (db_name === "")
    throw invalidRequest("database name is a required field: set db_name to the name of a connection");
  if (username === "") throw invalidRequest("username is a required field to create a static account");
  if (before && username !== before.username) throw invalidRequest("cannot update static account username");
  const schedule = await settledSchedule(before, input, given);
  const credential = settledCredential(before, input, given, rules.warn);
  if (credential.credential_type === "client_certificate") {
    throw invalidRequest(
      "static roles have no client certificates; their credential_type is password or rsa_private_key",
    );
  }
  const rotation_statements =
    given("rotation_statements") || !before ? input.rotation_statements : before.rotation_statements;
  const next_rotation = await nextTime(schedule, before?.last_rotation || services.clock.now());
  const kept = before ?? { credential: imported(input), pending: undefined, last_rotation: 0 };
  const plain = {
    username,
    db_name,
    schedule,
    rotation_statements,
    next_rotation,
    queued_at: before?.pending ? before.queued_at : next_rotation,
  };
  const after: StaticRole = { ...kept, ...plain, ...credential };
  if (!before) await requireOwnUser(name, after, services);
  if (before && before.db_name !== db_name) usersOf(services, before.db_name).delete(userKey(username));
  await claimUser(name, after, services);
  putStaticRole(name, before, after, services);
  return before === undefined;
}

const imported = ({ skip_import_rotation, password }: Input) =>
  skip_import_rotation && password !== "" ? withPassword(password) : undefined;

/** Rotating the root user as a static role would lock the connection out. */
async function requireOwnUser(
  name: string,
  { db_name, username }: StaticRole,
  services: DatabaseServices,
): Promise<void> {
  const { details } = await connectionFor(name, db_name, services);
  if (details["username"] !== username) return;
  throw invalidRequest(
    `${JSON.stringify(username)} is the root user of the connection ${JSON.stringify(db_name)}; ` +
      "rotate it with rotate-root, or configure the connection with a user of its own",
  );
}

async function settledSchedule(
  before: StaticRole | undefined,
  input: Input,
  given: (field: string) => boolean,
): Promise<Schedule | undefined> {
  const asked = ["rotation_period", "rotation_schedule", "rotation_window"].some(given);
  if (given("disable_automated_rotation") && input.disable_automated_rotation) return undefined;
  if (before && !asked) return before.schedule;
  const known = scheduleFields(before?.schedule);
  const isCron = given("rotation_schedule") && input.rotation_schedule !== "";
  const fields = {
    rotation_period: given("rotation_period") ? input.rotation_period : isCron ? 0 : known.rotation_period,
    rotation_schedule: given("rotation_schedule")
      ? input.rotation_schedule
      : given("rotation_period")
        ? ""
        : known.rotation_schedule,
    rotation_window: given("rotation_window") ? input.rotation_window : isCron ? known.rotation_window : 0,
  };
  if (given("rotation_period") && fields.rotation_period < 5)
    throw invalidRequest("rotation_period must be 5 seconds or more");
  const schedule = await readSchedule(fields);
  if (!schedule)
    throw invalidRequest("rotation_period is required to create static accounts; or set rotation_schedule");
  return schedule;
}

/** A creation that certainly came to nothing leaves nothing; one that may have changed the user is kept and finished. */
async function firstRotation(name: string, { transaction }: Context<DatabaseServices>): Promise<void> {
  try {
    await rotateStaticRole(transaction, name);
  } catch (error) {
    const role = await transaction(async (services) => {
      const found = await services.staticRoles.get(name);
      if (found && !found.pending && !found.credential) forgetStaticRole(name, found, services);
      return found;
    });
    if (role?.credential) return;
    if (!role?.pending) throw continued(error, "error setting credentials");
    throw continued(error, "the first rotation could not be finished; retries will continue in the background");
  }
}

function rotationTimes(role: StaticRole, now: Date) {
  const last = timeText(role.last_rotation);
  const left = role.next_rotation === 0 ? 0 : Math.max(0, Math.round((role.next_rotation - now.getTime()) / 1000));
  return {
    ...shownSchedule(role.schedule),
    ttl: left,
    ...(last !== undefined && { last_service_rotation: last, last_vault_rotation: last }),
  };
}
