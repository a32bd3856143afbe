/** A configured listener as the HTTP server takes it, and what it shows or hides that others do not. */
import type { ListenerConfig } from "../config/listener.ts";
import type { ListenerOptions } from "../http/listener-options.ts";

/** Configuration says 0 for "no limit"; a day is as good as none, and nothing lasts for ever. */
const dayInSeconds = 86_400;

const seconds = (milliseconds: number) => (milliseconds === 0 ? dayInSeconds : milliseconds / 1000);

/** `hostname` is told to clients, if there is one. */
export function listenerOptions(config: ListenerConfig, hostname: string | undefined): ListenerOptions {
  return {
    ...config,
    hostname,
    http_read_header_timeout: seconds(config.http_read_header_timeout),
    http_read_timeout: seconds(config.http_read_timeout),
    http_write_timeout: config.http_write_timeout === 0 ? undefined : seconds(config.http_write_timeout),
    http_idle_timeout: seconds(config.http_idle_timeout),
    max_request_duration: seconds(config.max_request_duration),
    x_forwarded_for_authorized_addrs: config.x_forwarded_for_authorized_addrs.map(({ text }) => text),
    proxy_protocol_authorized_addrs: config.proxy_protocol_authorized_addrs.map(({ text }) => text),
  };
}

export const jsonLimits = ({ max_request_json_depth, max_request_json_strings }: ListenerConfig) => ({
  depth: max_request_json_depth,
  strings: max_request_json_strings < 0 ? Number.POSITIVE_INFINITY : max_request_json_strings,
});

const rekeyPath = /^sys\/(?:rekey|rekey-recovery-key)\/(?:init|update|verify)(?:\/|$)/;
const generateRootPath = /^sys\/generate-root\//;

type HidingSettings = Pick<
  ListenerConfig,
  "disable_unauthed_rekey_endpoints" | "disable_unauthed_generate_root_endpoints"
>;

/** Operations that ask for no token are offered only where the operator says so. */
export function hiddenPaths(config: HidingSettings): (path: string) => boolean {
  const hidden = [
    ...(config.disable_unauthed_rekey_endpoints ? [rekeyPath] : []),
    ...(config.disable_unauthed_generate_root_endpoints ? [generateRootPath] : []),
  ];
  return (path) => path.startsWith("sys/") && hidden.some((pattern) => pattern.test(path));
}

type OpeningSettings = Pick<ListenerConfig, "telemetry" | "inflight_requests_logging">;

/** What this listener tells anybody, for monitors that have no token. Undefined if there is nothing. */
export function openPaths({ telemetry, inflight_requests_logging }: OpeningSettings): ReadonlySet<string> | undefined {
  const paths = [
    ...(telemetry.unauthenticated_metrics_access ? ["sys/metrics"] : []),
    ...(inflight_requests_logging.unauthenticated_in_flight_requests_access ? ["sys/in-flight-req"] : []),
  ];
  return paths.length === 0 ? undefined : new Set(paths);
}
