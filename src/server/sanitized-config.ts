/** The configuration as an operator may show it around: chosen key by key, so that a new key stays out until somebody thinks. */
import type { ListenerConfig } from "../config/listener.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { JsonObject } from "../lib/json.ts";

const shownKeys = [
  "cluster_name",
  "default_lease_ttl",
  "max_lease_ttl",
  "default_max_request_duration",
  "cache_size",
  "disable_cache",
  "disable_mlock",
  "pid_file",
  "log_level",
  "log_format",
  "log_file",
  "log_rotate_duration",
  "log_rotate_bytes",
  "log_rotate_max_files",
  "log_requests_level",
  "enable_response_header_hostname",
] as const satisfies readonly (keyof ServerConfig)[];

const shownListenerKeys = [
  "address",
  "tls_disable",
  "tls_cert_file",
  "tls_key_file",
  "tls_min_version",
  "tls_client_ca_file",
  "tls_require_and_verify_client_cert",
  "tls_disable_client_certs",
  "max_request_duration",
  "max_request_size",
  "max_connections",
  "proxy_protocol_behavior",
  "disable_unauthed_rekey_endpoints",
  "disable_unauthed_generate_root_endpoints",
  "telemetry",
  "inflight_requests_logging",
] as const satisfies readonly (keyof ListenerConfig)[];

export function sanitizedConfig(config: ServerConfig): JsonObject {
  return {
    ...picked(config, shownKeys),
    api_addr: config.api_addr ?? "",
    cluster_addr: config.cluster_addr ?? "",
    enable_ui: config.ui,
    listeners: config.listeners.map((listener) => ({
      type: listener.type,
      config: picked(listener, shownListenerKeys),
    })),
    // Connection strings and keys may be secret, so of these only the kind is told.
    seals: [{ type: config.seal.type, disabled: config.seal.type === "static" && config.seal.disabled }],
    storage: {
      type: config.storage.type,
      redirect_addr: config.api_addr ?? "",
      cluster_addr: config.cluster_addr ?? "",
      disable_clustering: false,
    },
  };
}

function picked<Source extends object>(source: Source, keys: readonly (keyof Source & string)[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (source[key] === undefined ? [] : [[key, source[key]]])));
}
