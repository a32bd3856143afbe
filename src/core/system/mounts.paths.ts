/** Declares `sys/mounts`, `sys/auth` and `sys/remount`: which engine answers where. */
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { group, text } from "../../api/fields.ts";
import { type Context, Open, pathsFor } from "../../api/path.ts";
import { mountPath, requireRemovable } from "../mounts/mount-administration.ts";
import { isAuth, type MountEntry } from "../mounts/mount-entry.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { finishWipes } from "../mounts/wipe.ts";
import {
  describeMount,
  describeTuning,
  mountFields,
  newMountFields,
  tunedConfig,
  tunedFields,
  tuningFields,
} from "./mount-fields.ts";
import type { SystemServices } from "./system-core.ts";
import { systemEntry, systemEntryOf } from "./system-entry.ts";

const path = pathsFor<SystemServices>();

const params = { path: text("Where the engine is mounted") };

/** Two tables in one store: auth methods live under `auth/`, and are named without it. */
interface Table {
  readonly pattern: "mounts" | "auth";
  readonly prefix: "" | "auth/";
  readonly what: string;
  readonly sudo: boolean;
  readonly unknown: (path: string) => string;
}

const secrets: Table = {
  pattern: "mounts",
  prefix: "",
  what: "a secrets engine",
  sudo: false,
  unknown: (path) => `No secret engine mount at ${path}`,
};

const auth: Table = {
  pattern: "auth",
  prefix: "auth/",
  what: "an auth method",
  sudo: true,
  unknown: (path) => `No auth engine at ${path}`,
};

async function listMounts({ storage, exchange, version }: SystemServices, { prefix }: Table) {
  const { entries } = await readMountTable(storage);
  const wanted = [...entries, systemEntryOf(exchange.namespace)].filter(
    (entry) => isAuth(entry) === (prefix === "auth/"),
  );
  wanted.sort((a, b) => (a.path < b.path ? -1 : 1));
  return Object.fromEntries(
    wanted.map((entry) => [entry.path.slice(prefix.length), describeMount(entry, version, exchange.namespace)]),
  );
}

async function entryAt(services: SystemServices, fullPath: string, unknown: (path: string) => string, shown: string) {
  const isSystem = fullPath === systemEntry.path;
  const entry = isSystem
    ? systemEntryOf(services.exchange.namespace)
    : await services.mounting.find(fullPath, services.storage);
  if (!entry) throw invalidRequest(unknown(shown));
  return entry;
}

async function tune(services: SystemServices, entry: MountEntry, tuning: TuneInput) {
  const { description, options, ...settings } = tuning;
  if (entry.type === "kv" && options?.["version"] !== undefined) requireKeepable(entry, options["version"]);
  const config = tunedConfig(entry.config, settings, services.lifetimes);
  await services.mounting.change(entry.path, services.storage, (current) => ({
    ...current,
    config,
    ...(description !== undefined && { description }),
    ...(options !== undefined && { options: { ...current.options, ...options } }),
  }));
}

/** Secrets without versions become the first version of each; those with versions would be lost the other way. */
function requireKeepable(entry: MountEntry, version: string): void {
  const current = entry.options?.["version"] ?? "1";
  if (version !== "1" && version !== "2") throw invalidRequest('the option "version" of a kv mount is "1" or "2"');
  if (version === "1" && current === "2") throw invalidRequest("cannot downgrade mount from version 2");
}

const tuneFields = {
  ...tuningFields,
  description: newMountFields.description.optional(),
  options: newMountFields.options,
};

type TuneInput = Parameters<typeof tunedConfig>[1] & {
  description?: string | undefined;
  options?: Record<string, string> | undefined;
};

function tablePaths(table: Table) {
  const { pattern, prefix, what, sudo, unknown } = table;
  return [
    path({
      pattern,
      summary: `All mounts: ${what} each`,
      dataOnTop: true,
      read: {
        summary: `List mounts, ${what} each`,
        openOutput: true,
        handler: async (_input, { services }) => new Open(await listMounts(services, table)),
      },
    }),
    path({
      pattern: `${pattern}/:path*`,
      summary: `Mount ${what}, read or unmount it`,
      dataOnTop: true,
      params,
      read: {
        summary: `Read the mount of ${what}`,
        sudo,
        output: mountFields,
        handler: async ({ path }, { services }) =>
          describeMount(
            await entryAt(services, mountPath(path, prefix), unknown, mountPath(path)),
            services.version,
            services.exchange.namespace,
          ),
      },
      write: {
        summary: `Mount ${what}`,
        sudo,
        input: newMountFields,
        async handler({ path, type, plugin_name, plugin_version, config, ...rest }, { services }) {
          const named = type || plugin_name;
          if (named === "") throw invalidRequest("backend type must be specified as a string");
          const version = plugin_version === "" ? {} : { plugin_version };
          await services.mounting.enable(
            {
              ...rest,
              path: mountPath(path, prefix),
              type: named,
              config: tunedConfig(undefined, { ...config, ...version }, services.lifetimes),
            },
            services.storage,
          );
        },
      },
      delete: {
        summary: `Unmount ${what} and delete all that it stored`,
        sudo,
        effects: true,
        handler: ({ path }, context) => unmount(mountPath(path, prefix), context),
      },
      examples: [{ operation: "write", request: { type: prefix === "" ? "kv" : "userpass", description: "team" } }],
    }),
  ];
}

/** Two spellings of the auth methods' tuning: clients use either. */
const tuningPaths = [
  tuningPath("mounts/:path*/tune", "", secrets.unknown, false),
  tuningPath("auth/:path*/tune", "auth/", auth.unknown, true),
];

function tuningPath(pattern: `${string}/:path*/tune`, prefix: string, unknown: Table["unknown"], sudo: boolean) {
  return path({
    pattern,
    summary: "Change the settings of a mount while it serves",
    dataOnTop: true,
    params,
    read: {
      summary: "Read the settings of a mount",
      sudo,
      output: tunedFields,
      handler: async ({ path }, { services }) =>
        describeTuning(await entryAt(services, mountPath(path, prefix), unknown, mountPath(path)), services.lifetimes),
    },
    write: {
      summary: "Change the settings of a mount",
      sudo,
      input: tuneFields,
      async handler({ path, ...tuning }, { services }) {
        await tune(services, await entryAt(services, mountPath(path, prefix), unknown, mountPath(path)), tuning);
      },
    },
    examples: [{ operation: "write", request: { max_lease_ttl: "720h" } }],
  });
}

async function unmount(fullPath: string, { services, transaction }: Context<SystemServices>): Promise<void> {
  requireRemovable(fullPath);
  if (!(await services.mounting.find(fullPath, services.storage))) return;
  await endLeases(fullPath, services);
  await transaction(({ mounting, storage }) => mounting.disable(fullPath, storage));
  await finishWipes(services.records);
}

/** What a mount gave out ends before it goes away, while its engine is there to end it; tokens of its logins too. */
async function endLeases(fullPath: string, services: SystemServices): Promise<void> {
  const failures = await services.leaseEnding.endBelow(fullPath, { namespace: services.exchange.namespace });
  if (failures.length > 0) {
    throw new ApiError(
      502,
      `${failures.length} leases of this mount could not be ended, and will be tried again; to forget them, use sys/leases/revoke-force/${fullPath.slice(0, -1)}`,
    );
  }
}

const remount = path({
  pattern: "remount",
  summary: "Move a mount to another path",
  dataOnTop: true,
  write: {
    summary: "Move a mount: what it stored stays, what it gave out ends",
    sudo: true,
    effects: true,
    input: { from: text("Where it is").default(""), to: text("Where it goes").default("") },
    output: { migration_id: text("Names the move") },
    async handler({ from, to }, { services, transaction, warn }) {
      if (from === "" || to === "") throw invalidRequest("both 'from' and 'to' path must be specified as a string");
      await services.mounting.requireMovable(mountPath(from), mountPath(to), services.storage);
      // Leases are known by the path that gave them, and nobody would look for them under the old one.
      await endLeases(mountPath(from), services);
      const id = await transaction(async ({ mounting, moves, storage }) => {
        await mounting.move(mountPath(from), mountPath(to), storage);
        return moves.record(mountPath(from), mountPath(to), storage);
      });
      warn("The mount has been moved. Policies that name its old path do not follow it.");
      return { migration_id: id };
    },
  },
});

const remountStatus = path({
  pattern: "remount/status/:migration_id",
  summary: "How far the move of a mount is",
  params: { migration_id: text("Names the move") },
  read: {
    summary: "Read the state of a move",
    output: {
      migration_id: text("Names the move"),
      migration_info: group("The move", {
        source_mount: text("Where it was"),
        target_mount: text("Where it is now"),
        status: text("in-progress, success or failure"),
      }),
    },
    async handler({ migration_id }, { services }) {
      const move = await services.moves.find(migration_id, services.storage);
      if (!move) throw invalidRequest(`no move has the id ${JSON.stringify(migration_id)}`);
      return { migration_id, migration_info: { ...move, status: "success" } };
    },
  },
});

export const mountPaths = [...tablePaths(secrets), ...tablePaths(auth), ...tuningPaths, remount, remountStatus];
