/** The keys at the top of a configuration, outside of any block. */
import { choice, duration, flag, integer, lifetime, list, text, timeout } from "./kinds.ts";
import { serverUrl } from "./network-kinds.ts";
import { Ignored } from "./setting.ts";
import { telemetry } from "./telemetry.ts";

const logLevels = ["trace", "debug", "info", "warn", "error"] as const;
const otherLogLevels = { notice: "info", warning: "warn", err: "error" } as const;

const nodesMeetInStore = new Ignored("nodes do not talk to each other: they meet in the store");
const noPluginProcesses = new Ignored("plugins run as part of the server");
const notYet = new Ignored("not supported");

export const serverSettings = {
  api_addr: serverUrl("URL of this node, as clients reach it").environment("API_ADDR"),
  cluster_addr: serverUrl(
    "URL of this node, as other nodes would reach it; told to clients in `sys/leader`",
  ).environment("CLUSTER_ADDR"),
  cluster_name: text("Name of the installation, told in `sys/health`").default("strongroom"),
  ui: flag("Serve the web interface under `/ui`").default(false).environment("UI"),
  default_lease_ttl: lifetime(
    "Lifetime of tokens and leases for which nothing else is said; 768h, or max_lease_ttl if that is shorter, if not set",
  ),
  max_lease_ttl: lifetime("Longest lifetime of tokens and leases, unless a mount says otherwise").default("768h"),
  default_max_request_duration: timeout("Time to work on a request, on listeners that do not say").default("90s"),
  cache_size: integer("Size of the cache of decrypted records, in records of 512 bytes", {
    least: 0,
    most: 100_000_000,
  }).default(131_072),
  disable_cache: flag("Keep no records in memory. Slow, and of no other use than finding faults").default(false),
  disable_mlock: flag("Accepted as other servers have it: memory is never locked, see the security model").default(
    false,
  ),
  workers: integer(
    "Processes that serve behind the addresses of this server; as many as there are cores, and at most 16, if not set. Always one if the storage is in memory",
    { least: 1, most: 256 },
  ).environment("WORKERS"),
  pid_file: text("File to write the process id to"),
  log_level: choice(logLevels, "Least important messages that are logged", otherLogLevels)
    .default("info")
    .environment("LOG_LEVEL")
    .reloaded(),
  log_format: choice(["standard", "json"], "How messages are written").default("standard").environment("LOG_FORMAT"),
  log_file: text("File to log to, besides the standard error stream"),
  log_rotate_duration: duration("Age at which a new log file is begun").default("24h"),
  log_rotate_bytes: integer("Size at which a new log file is begun. 0 for any size", {
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
  }).default(0),
  log_rotate_max_files: integer("Old log files to keep. 0 for all, -1 for none", { least: -1, most: 100_000 }).default(
    0,
  ),
  log_requests_level: choice([...logLevels, "off"], "Level at which finished requests are logged", otherLogLevels)
    .default("off")
    .reloaded(),
  enable_response_header_hostname: flag("Tell the host's name in the header `X-Service-Hostname`").default(false),
  unsafe_allow_api_audit_creation: flag("Allow audit devices to be made with the API. They can write files anywhere")
    .default(false)
    .reloaded(),
  audit_folders: list("Folders that files of audit devices may lie in, if the devices are made with the API").default(
    [],
  ),
  allow_audit_log_prefixing: flag("Allow audit devices with the option `prefix`").default(false).reloaded(),
  plugin_directory: text("Folder with plugins of the database engine; see `database_plugins`"),
  database_plugins: list(
    "Plugins of the database engine: each the name of a file in `plugin_directory`, `=`, and the SHA-256 of that file",
  ).default([]),
  telemetry,

  raw_storage_endpoint: new Ignored("nobody reads or writes the store behind everything's back"),
  introspection_endpoint: new Ignored("there is no sys/internal/inspect"),
  unsafe_relative_paths: new Ignored("`..` in the path of a request is always refused"),
  enable_response_header_raft_node_id: new Ignored("there are no Raft nodes"),
  disable_clustering: nodesMeetInStore,
  ha_storage: nodesMeetInStore,
  service_registration: nodesMeetInStore,
  disable_standby_reads: new Ignored("there are no standby nodes: every node serves reads and writes"),
  disable_performance_standby: new Ignored("there are no standby nodes: every node serves reads and writes"),
  disable_sealwrap: new Ignored("nothing is wrapped by the seal but the root key"),
  disable_printable_check: new Ignored("names of keys are always checked"),
  disable_ssct_tokens: new Ignored("tokens need no hints for standby nodes"),
  imprecise_lease_role_tracking: new Ignored("counting leases by role costs nothing worth saving"),
  detect_deadlocks: new Ignored("there are no locks to watch"),
  plugin: noPluginProcesses,
  plugin_file_uid: noPluginProcesses,
  plugin_file_permissions: noPluginProcesses,
  plugin_auto_download: noPluginProcesses,
  plugin_auto_register: noPluginProcesses,
  plugin_download_behavior: noPluginProcesses,
  initialize: notYet,
  allow_unauthenticated_workflows: notYet,
  unsafe_cross_namespace_identity: notYet,
};
