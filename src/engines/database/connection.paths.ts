/** Declares connections to databases: their configuration, their reset, and the rotation of their root credential. */
import { ApiError, absent, invalidRequest } from "../../api/errors.ts";
import {
  anything,
  duration,
  flag,
  integer,
  items,
  list,
  object,
  text,
  type Values,
  writeOnly,
} from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { randomBase62 } from "../../lib/base62.ts";
import type { JsonObject } from "../../lib/json.ts";
import { type Connection, detailsIn, passwordIn, requireVersion, shownDetails } from "./connection.ts";
import { DatabaseFailure } from "./failure.ts";
import { findConnection } from "./find-connection.ts";
import { hasLiveUsers } from "./lease.ts";
import { nameField, requireName } from "./name.ts";
import { moveRotation } from "./queue.ts";
import { statements } from "./role-fields.ts";
import { rotateRoot } from "./root-rotation.ts";
import { nextTime, readSchedule, type Schedule, scheduleFields } from "./schedule.ts";
import type { DatabaseServices } from "./services.ts";
import { shownSchedule } from "./static-role.ts";
import { requireUsernameTemplate } from "./username.ts";

const path = pathsFor<DatabaseServices>();
const params = { name: nameField("connection") };

const commonFields = {
  plugin_name: text("Plugin that knows the database, such as searchengine-database-plugin").default(""),
  plugin_version: text("Semantic version of the plugin; empty for whichever there is").default(""),
  verify_connection: flag("Try the connection before it is stored").default(true),
  allowed_roles: list("Roles that may use the connection; * stands for any number of characters").default([]),
  root_rotation_statements: statements(
    "How the root credential is replaced, where the plugin's own way does not do",
  ).default([]),
  password_policy: text("Password policy for users and for the root; empty for 20 characters of four kinds").default(
    "",
  ),
  rotation_period: duration("Time between rotations of the root credential; 0 for none").default(0),
  rotation_schedule: text("Cron schedule, in UTC, of rotations of the root credential").default(""),
  rotation_window: duration("How late a scheduled rotation may be; at least 1 hour, 0 for any time").default(0),
  disable_automated_rotation: flag("Rotate the root credential only when asked to").default(false),
};

/** What most plugins know; the rest is handed to the plugin as it comes. */
const pluginFields = {
  connection_url: text("Where the database is; may hold {{username}}, {{name}} and {{password}}"),
  url: text("Where the server is, for plugins that speak HTTP"),
  username: text("Root user"),
  password: writeOnly(text("Password of the root user")),
  api_key: writeOnly(text("Key of the root user, for the vector database")),
  username_template: text("Template for names of users that are made"),
  disable_escaping: anything("Put user name and password into connection_url as they are"),
  ca_cert: text("PEM of authorities to trust"),
  ca_path: text("File with PEM of authorities to trust"),
  client_cert: text("PEM of the certificate to be known by; together with client_key"),
  client_key: writeOnly(text("PEM of the key of client_cert")),
  tls_server_name: text("Name to verify in place of the URL's host"),
  insecure: anything("Trust any certificate"),
};

const optionalPluginFields = Object.fromEntries(
  Object.entries(pluginFields).map(([name, field]) => [name, field.optional()]),
) as { [Name in keyof typeof pluginFields]: ReturnType<(typeof pluginFields)[Name]["optional"]> };

const connection = path({
  pattern: "config/:name",
  summary: "Manage connections to databases",
  params,
  read: {
    summary: "Read a connection, without its secrets",
    output: {
      plugin_name: text("Plugin that knows the database"),
      plugin_version: text("Version that the connection asks for"),
      allowed_roles: items("Roles that may use the connection"),
      connection_details: object("What the plugin was given, without secrets"),
      password_policy: text("Password policy for users"),
      root_credentials_rotate_statements: items("How the root credential is replaced"),
      rotation_period: integer(
        "Seconds between rotations of the root credential; absent where there are none",
      ).optional(),
      rotation_schedule: text(
        "Cron schedule of rotations of the root credential; absent where there is none",
      ).optional(),
      rotation_window: integer("Seconds by which a scheduled rotation may be late").optional(),
    },
    async handler({ name }, { services }) {
      const found = await services.connections.get(requireName(name));
      if (!found) throw absent();
      return {
        plugin_name: found.plugin_name,
        plugin_version: found.plugin_version,
        allowed_roles: found.allowed_roles,
        connection_details: shownDetails(found, services.databases.findPlugin(found.plugin_name)),
        password_policy: found.password_policy,
        root_credentials_rotate_statements: found.root_rotation_statements,
        ...(found.schedule && shownSchedule(found.schedule)),
      };
    },
  },
  write: {
    summary: "Create or change a connection; what is not given stays",
    effects: true,
    openInput: true,
    input: { ...commonFields, ...optionalPluginFields },
    exists: ({ name }, { services }) => services.connections.has(name),
    async handler({ name, ...input }, context) {
      requireName(name);
      const { services, transaction, warn } = context;
      const proposed = await transaction((current) => settled(name, input, current, context));
      await tryOut(name, proposed, input.verify_connection, services);
      await transaction(async (current) => store(name, await settled(name, input, current, context), current, context));
      services.databases.drop(name);
      if (passwordIn(String(proposed.details["connection_url"] ?? "")) !== undefined) {
        warn(
          "Password found in connection_url, use a templated url to enable root rotation and prevent read access to password information.",
        );
      }
    },
  },
  delete: {
    summary: "Delete a connection; refused while users live that it made, unless forced",
    input: { force: flag("Delete it although users of it live, which then nobody ends").default(false) },
    async handler({ name, force }, { services }) {
      requireName(name);
      const found = await services.connections.get(name);
      if (!found) return;
      if (!force && (await hasLiveUsers(name, services))) {
        throw invalidRequest(
          `the connection ${JSON.stringify(name)} has users with live leases; revoke these first, or set force to leave them behind`,
        );
      }
      moveRotation(found.next_rotation, 0, { kind: "root", name }, services.storage);
      services.rootIntents.delete(name);
      services.connections.delete(name);
      services.databases.drop(name);
    },
  },
  examples: [
    {
      operation: "write",
      request: {
        plugin_name: "searchengine-database-plugin",
        url: "https://search.example.com:9200",
        username: "strongroom",
        password: "correct-horse",
        allowed_roles: "reader,writer-*",
        verify_connection: false,
      },
    },
  ],
});

const connections = path({
  pattern: "config",
  summary: "List connections",
  list: {
    summary: "List the names of connections",
    input: pageFields,
    output: keysField,
    async handler(input, { services }) {
      const keys = await services.connections.list(pageOf(input));
      if (keys.length === 0) throw absent();
      return { keys };
    },
  },
});

const reset = path({
  pattern: "reset/:name",
  summary: "Close a connection and open it anew",
  params,
  write: {
    summary: "Close a connection, and open and verify it anew from what is stored",
    effects: true,
    async handler({ name }, { services, transaction }) {
      requireName(name);
      const fresh = await transaction(async (current) => {
        const found = await findConnection(name, current);
        const renewed = { ...found, revision: randomBase62(12, current.random) };
        current.connections.put(name, renewed);
        return renewed;
      });
      services.databases.drop(name);
      await services.databases.use(name, fresh, (database) => database.verify());
    },
  },
});

const rootRotation = path({
  pattern: "rotate-root/:name",
  summary: "Replace the root credential of a connection",
  params,
  write: {
    summary: "Replace the root credential; nobody can read the new one",
    effects: true,
    async handler({ name }, { transaction }) {
      await rotateRoot(transaction, requireName(name));
    },
  },
});

export const connectionPaths = [connection, connections, reset, rootRotation];

const commonNames: ReadonlySet<string> = new Set([...Object.keys(commonFields), "name"]);

type Input = Values<typeof commonFields>;
type Rules = Pick<Context<DatabaseServices>, "given" | "body">;

/** The connection as it is to be: what is not given stays. */
async function settled(name: string, input: Input, services: DatabaseServices, rules: Rules): Promise<Connection> {
  const before = await services.connections.get(name);
  const { given, body } = rules;
  const keep = <Field extends keyof Input & keyof Connection>(field: Field) =>
    (before && !given(field) ? before[field] : input[field]) as Connection[Field];
  const plugin_name = keep("plugin_name");
  if (plugin_name === "")
    throw invalidRequest("empty plugin name: set plugin_name, such as searchengine-database-plugin");
  const schedule = await settledSchedule(before, input, given);
  const isRescheduled = JSON.stringify(schedule) !== JSON.stringify(before?.schedule);
  const proposed: Connection = {
    plugin_name,
    plugin_version: keep("plugin_version"),
    allowed_roles: keep("allowed_roles"),
    root_rotation_statements: keep("root_rotation_statements"),
    password_policy: keep("password_policy"),
    details: { ...before?.details, ...detailsIn(body, commonNames) } as JsonObject,
    revision: randomBase62(12, services.random),
    schedule,
    last_rotation: before?.last_rotation ?? 0,
    next_rotation: isRescheduled ? await nextTime(schedule, services.clock.now()) : (before?.next_rotation ?? 0),
  };
  requireVersion(proposed.plugin_version, services.databases.pluginOf(proposed));
  requireUsernameTemplate(proposed, services);
  return proposed;
}

async function settledSchedule(
  before: Connection | undefined,
  input: Input,
  given: (field: string) => boolean,
): Promise<Schedule | undefined> {
  if (given("disable_automated_rotation") && input.disable_automated_rotation) return undefined;
  if (!["rotation_period", "rotation_schedule", "rotation_window"].some(given)) return before?.schedule;
  const known = scheduleFields(before?.schedule);
  const window = given("rotation_window")
    ? input.rotation_window
    : given("rotation_period")
      ? 0
      : known.rotation_window;
  return readSchedule({
    rotation_period: given("rotation_period") ? input.rotation_period : 0,
    rotation_schedule: given("rotation_schedule")
      ? input.rotation_schedule
      : window === 0
        ? ""
        : known.rotation_schedule,
    rotation_window: window,
  });
}

/** Settings are always read, the database is asked only if wanted. */
async function tryOut(
  name: string,
  proposed: Connection,
  verify: boolean,
  { databases }: DatabaseServices,
): Promise<void> {
  try {
    await databases.tryOut(name, proposed, async (database) => {
      if (verify) await database.verify();
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const words = error instanceof DatabaseFailure ? "error verifying connection: " : "";
    throw new ApiError(error.status, `error creating database object: ${words}${error.message}`);
  }
}

async function store(name: string, after: Connection, services: DatabaseServices, { body }: Rules): Promise<void> {
  const before = await services.connections.get(name);
  const { rootSecret } = services.databases.pluginOf(after);
  // Whoever sets the secret knows better than a rotation that was left half-way.
  if (body[rootSecret] !== undefined) services.rootIntents.delete(name);
  moveRotation(before?.next_rotation ?? 0, after.next_rotation, { kind: "root", name }, services.storage);
  services.connections.put(name, after);
}
