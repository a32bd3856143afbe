/** A configured listener as the HTTP server takes it. */
import type { ListenerConfig } from "../config/listener.ts";
import type { ListenerOptions } from "../http/listener-options.ts";

/** Configuration says 0 for "no limit"; a day is as good as none, and nothing lasts for ever. */
const dayInSeconds = 86_400;

const seconds = (milliseconds: number) => (milliseconds === 0 ? dayInSeconds : milliseconds / 1000);

export function listenerOptions(config: ListenerConfig): ListenerOptions {
  return {
    ...config,
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
