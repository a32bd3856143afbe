/** Fields of a mount, shared by secrets engines and auth methods: written once, read back in the same names. */
import { invalidRequest } from "../../api/errors.ts";
import {
  choice,
  dictionary,
  duration,
  flag,
  group,
  integer,
  list,
  object,
  text,
  type Values,
} from "../../api/fields.ts";
import { parseDuration } from "../../lib/duration.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import {
  isAuth,
  type MountConfig,
  type MountEntry,
  type MountLifetimes,
  tokenKinds,
  tunedLifetimes,
  type UserLockout,
} from "../mounts/mount-entry.ts";

import { isRootNamespace, type Namespace } from "../namespaces/namespace.ts";

/** What `tune` takes, and what `config` takes when a mount is made. */
export const tuningFields = {
  default_lease_ttl: duration("Lifetime when nobody asks for one; 0 for the system's own").optional(),
  max_lease_ttl: duration("Longest lifetime; 0 for the system's own").optional(),
  force_no_cache: flag("Accepted; records are never served stale").optional(),
  listing_visibility: choice(["", "hidden", "unauth"], "Whether the mount shows without a token").optional(),
  passthrough_request_headers: list("Request headers that the engine may see").optional(),
  allowed_response_headers: list("Response headers that the engine may set").optional(),
  audit_non_hmac_request_keys: list("Request keys that audit shows in clear").optional(),
  audit_non_hmac_response_keys: list("Response keys that audit shows in clear").optional(),
  token_type: choice(["", ...tokenKinds], "Kind of tokens that an auth method gives").optional(),
  plugin_version: text("Version of the plugin; empty for the built-in one").optional(),
  user_lockout_config: object("When users are locked out after failed logins").optional(),
};

export type Tuning = Values<typeof tuningFields>;

export const newMountFields = {
  type: text("Type of the engine, such as kv, pki or jwt").default(""),
  description: text("Text for people").default(""),
  config: group("Settings that tune changes later", tuningFields).optional(),
  options: dictionary("Options of the engine, such as the version of kv").optional(),
  local: flag("Not replicated; accepted").default(false),
  seal_wrap: flag("Accepted; every value is encrypted").default(false),
  external_entropy_access: flag("Accepted; not used").default(false),
  plugin_name: text("Older name of type").default(""),
  plugin_version: text("Version of the plugin; empty for the built-in one").default(""),
};

const lockoutFields = {
  user_lockout_threshold: integer("Failures that lock a user out").optional(),
  user_lockout_duration: duration("How long a user stays locked out").optional(),
  user_lockout_counter_reset_duration: duration("After how long failures are forgotten").optional(),
  user_lockout_disable: flag("Never lock users out").optional(),
};

export const tunedFields = {
  description: text("Text for people"),
  default_lease_ttl: duration("Lifetime when nobody asks for one"),
  max_lease_ttl: duration("Longest lifetime"),
  force_no_cache: flag("Accepted; records are never served stale"),
  listing_visibility: text("Whether the mount shows without a token").optional(),
  passthrough_request_headers: list("Request headers that the engine may see").optional(),
  allowed_response_headers: list("Response headers that the engine may set").optional(),
  audit_non_hmac_request_keys: list("Request keys that audit shows in clear").optional(),
  audit_non_hmac_response_keys: list("Response keys that audit shows in clear").optional(),
  token_type: text("Kind of tokens that an auth method gives").optional(),
  plugin_version: text("Version of the plugin").optional(),
  options: dictionary("Options of the engine").nullable().optional(),
  ...lockoutFields,
};

export const mountFields = {
  accessor: text("Names the mount in identity"),
  type: text("Type of the engine"),
  uuid: text("Names the mount in storage"),
  description: text("Text for people"),
  local: flag("Not replicated"),
  seal_wrap: flag("Accepted"),
  external_entropy_access: flag("Accepted"),
  options: dictionary("Options of the engine").nullable(),
  plugin_version: text("Version of the plugin"),
  running_plugin_version: text("Version that serves"),
  running_sha256: text("Digest of an external plugin; always empty"),
  deprecation_status: text("Whether the engine is supported"),
  config: object("Settings; a lifetime of 0 stands for the system's own"),
};

/** Built-in mounts of a namespace below the root have types of their own, as clients know them. */
const shownType = ({ type }: MountEntry, namespace: Namespace) =>
  !isRootNamespace(namespace) && ["cubbyhole", "identity", "system", "token"].includes(type) ? `ns_${type}` : type;

export function describeMount(entry: MountEntry, version: string, namespace: Namespace) {
  return {
    accessor: entry.accessor,
    config: {
      ...entry.config,
      ...(isAuth(entry) && { token_type: entry.config.token_type ?? "default-service" }),
    },
    deprecation_status: "supported",
    description: entry.description,
    external_entropy_access: entry.external_entropy_access,
    local: entry.local,
    options: entry.options,
    plugin_version: entry.config.plugin_version ?? "",
    running_plugin_version: `v${version}+builtin`,
    running_sha256: "",
    seal_wrap: entry.seal_wrap,
    type: shownType(entry, namespace),
    uuid: entry.uuid,
  };
}

export function describeTuning(entry: MountEntry, system: MountLifetimes) {
  const { defaultSeconds, maxSeconds } = tunedLifetimes(entry, system);
  const { default_lease_ttl, max_lease_ttl, user_lockout_config, ...rest } = entry.config;
  return {
    description: entry.description,
    default_lease_ttl: defaultSeconds,
    max_lease_ttl: maxSeconds,
    ...rest,
    ...(isAuth(entry) && { token_type: rest.token_type ?? "default-service" }),
    ...(entry.options && { options: entry.options }),
    ...(user_lockout_config && {
      user_lockout_threshold: user_lockout_config.lockout_threshold,
      user_lockout_duration: user_lockout_config.lockout_duration,
      user_lockout_counter_reset_duration: user_lockout_config.lockout_counter_reset,
      user_lockout_disable: user_lockout_config.lockout_disable,
    }),
  };
}

const untuned: MountConfig = { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false };

/** The settings after a change: what is not named stays, and an empty word takes a setting away. */
export function tunedConfig(before: MountConfig = untuned, tuning: Tuning, system: MountLifetimes): MountConfig {
  const { user_lockout_config, listing_visibility, token_type, ...plain } = tuning;
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) changes[name] = value;
  if (listing_visibility !== undefined) changes["listing_visibility"] = listing_visibility || undefined;
  if (token_type !== undefined) changes["token_type"] = token_type || undefined;
  if (user_lockout_config) changes["user_lockout_config"] = lockoutOf(user_lockout_config, before.user_lockout_config);
  const after = Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined),
  );
  requireSound(after as unknown as MountConfig, system);
  return after as unknown as MountConfig;
}

function requireSound({ default_lease_ttl, max_lease_ttl }: MountConfig, { maxSeconds }: MountLifetimes): void {
  if (default_lease_ttl < 0 || max_lease_ttl < 0) throw invalidRequest("lease lifetimes cannot be negative");
  const longest = max_lease_ttl || maxSeconds;
  if (default_lease_ttl > longest) {
    throw invalidRequest(
      `backend max lease TTL of ${longest} would be less than backend default lease TTL of ${default_lease_ttl}`,
    );
  }
}

const lockoutDefaults: UserLockout = {
  lockout_threshold: 5,
  lockout_duration: 900,
  lockout_counter_reset: 900,
  lockout_disable: false,
};

function lockoutOf(raw: JsonObject, before: UserLockout = lockoutDefaults): UserLockout {
  const given = isJsonObject(raw) ? raw : {};
  const seconds = (name: string, fallback: number) => {
    if (given[name] === undefined || given[name] === null) return fallback;
    try {
      return parseDuration(given[name]);
    } catch {
      throw invalidRequest(`user_lockout_config: ${name} is not a duration such as "15m"`);
    }
  };
  const threshold = Number(given["lockout_threshold"] ?? before.lockout_threshold);
  if (!Number.isSafeInteger(threshold) || threshold < 0) {
    throw invalidRequest("user_lockout_config: lockout_threshold is a number of failures");
  }
  return {
    lockout_threshold: threshold,
    lockout_duration: seconds("lockout_duration", before.lockout_duration),
    lockout_counter_reset: seconds(
      given["lockout_counter_reset_duration"] === undefined
        ? "lockout_counter_reset"
        : "lockout_counter_reset_duration",
      before.lockout_counter_reset,
    ),
    lockout_disable: String(given["lockout_disable"] ?? before.lockout_disable) === "true",
  };
}
