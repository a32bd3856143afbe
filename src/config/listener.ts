/** `listener "tcp"`: where the server listens, with what certificate, and whom it believes. */
import { normalListenAddress, parseListenAddress } from "./address.ts";
import { choice, flag, integer, limit, text, timeout } from "./kinds.ts";
import { address, cidrs, responseHeaders } from "./network-kinds.ts";
import type { Report } from "./report.ts";
import { Group, Ignored, type Values } from "./setting.ts";
import type { Stanza, StanzaDeclaration } from "./stanza.ts";

const noAcmeClient = new Ignored("the server does not fetch its own certificate: set tls_cert_file and tls_key_file");
const corsByApi = new Ignored("cross-origin requests are configured for all listeners with sys/config/cors");
const noForwardedCertificate = new Ignored("client certificates are taken from the TLS connection only");

const tlsSettings = {
  tls_disable: flag("Serve plain HTTP. Without it a certificate and its key are needed").default(false),
  tls_cert_file: text("PEM file with the certificate and, after it, the chain that leads to its CA").reloaded(),
  tls_key_file: text("PEM file with the private key of the certificate").reloaded(),
  tls_min_version: choice(["tls12", "tls13"], "Oldest version of TLS that is spoken").default("tls12"),
  tls_max_version: new Ignored("TLS 1.3 is always offered"),
  tls_cipher_suites: new Ignored("the runtime chooses: only suites that are considered safe"),
  tls_require_and_verify_client_cert: flag("Refuse connections without a client certificate that verifies").default(
    false,
  ),
  tls_client_ca_file: text("PEM file with the CAs that client certificates must come from").reloaded(),
  tls_disable_client_certs: flag("Never ask for client certificates").default(false),
  tls_prefer_server_cipher_suites: new Ignored("the server's order of cipher suites always counts"),
  tls_acme_ca_directory: noAcmeClient,
  tls_acme_test_ca_directory: noAcmeClient,
  tls_acme_cache_path: noAcmeClient,
  tls_acme_ca_root: noAcmeClient,
  tls_acme_eab_key_id: noAcmeClient,
  tls_acme_eab_mac_key: noAcmeClient,
  tls_acme_key_type: noAcmeClient,
  tls_acme_email: noAcmeClient,
  tls_acme_domains: noAcmeClient,
  tls_acme_disable_http_challenge: noAcmeClient,
  tls_acme_disable_alpn_challenge: noAcmeClient,
};

const limitSettings = {
  http_read_header_timeout: timeout("Time to receive the headers of a request. 0 for a day").default("10s"),
  http_read_timeout: timeout("Time to receive a whole request. 0 for a day").default("30s"),
  http_write_timeout: timeout("Time after which a client that stopped reading its answer is cut off").default("30s"),
  http_idle_timeout: timeout("Time that a connection may stay open without a request. 0 for a day").default("5m"),
  max_request_duration: timeout("Time to work on a request; default_max_request_duration if not set"),
  max_connections: integer("Connections that are open at once", { least: 1, most: 1_000_000 }).default(10_000),
  max_header_size: integer("Bytes in the headers of a request", { least: 1024, most: 1_048_576 }).default(65_536),
  max_request_size: limit("Bytes in the body of a request. Negative for no limit", 33_554_432),
  max_request_json_memory: new Ignored("bodies are bounded by their size, depth and number of strings"),
  max_request_json_strings: limit("Strings, keys among them, in a JSON body. Negative for no limit", 1000),
  max_request_json_depth: integer("Levels of nesting in a JSON body", { least: 1, most: 500 }).default(300),
};

const proxySettings = {
  x_forwarded_for_authorized_addrs: cidrs(
    "Proxies whose `X-Forwarded-For` header is believed. Empty: the header means nothing",
  ).default([]),
  x_forwarded_for_hop_skips: integer("How many of the header's last addresses are proxies of your own", {
    least: 0,
    most: 100,
  }).default(0),
  x_forwarded_for_reject_not_authorized: flag(
    "Refuse a request that has the header and does not come from such a proxy",
  ).default(true),
  x_forwarded_for_reject_not_present: flag("Refuse a request that lacks the header").default(true),
  x_forwarded_for_client_cert_header: noForwardedCertificate,
  x_forwarded_for_client_cert_decoders: noForwardedCertificate,
  x_forwarded_for_client_cert_keep_not_forwarded: noForwardedCertificate,
  x_forwarded_for_client_cert_keep_unauthorized: noForwardedCertificate,
  proxy_protocol_behavior: choice(
    ["use_always", "allow_authorized", "deny_unauthorized"],
    "Whether connections begin with the PROXY protocol: always; believed from authorized addresses; or refused from others",
  ),
  proxy_protocol_authorized_addrs: cidrs("Proxies whose PROXY header is believed").default([]),
};

export const tcpListener = {
  address: address("Host and port to listen on. An empty host means all interfaces").default("127.0.0.1:8200"),
  cluster_address: new Ignored("nodes do not talk to each other: they meet in the store"),
  ...tlsSettings,
  ...limitSettings,
  ...proxySettings,
  custom_response_headers: responseHeaders("Headers to add to answers, by status: `default`, `2xx`, `404`").reloaded(),
  disable_unauthed_rekey_endpoints: flag("Hide `sys/rekey/*`, which asks for no token").default(true),
  disable_unauthed_generate_root_endpoints: flag("Hide `sys/generate-root/*`, which asks for no token").default(true),
  disable_request_limiter: new Ignored("there is no adaptive limiter; use rate-limit quotas"),
  telemetry: new Group("Metrics on this listener.", {
    unauthenticated_metrics_access: flag("Answer `sys/metrics` without a token").default(false),
  }),
  profiling: new Group("Profiling on this listener.", {
    unauthenticated_pprof_access: new Ignored("there are no profiles to read over HTTP"),
  }),
  inflight_requests_logging: new Group("Requests in progress on this listener.", {
    unauthenticated_in_flight_requests_access: flag("Answer `sys/in-flight-req` without a token").default(false),
  }),
  cors_enabled: corsByApi,
  cors_allowed_origins: corsByApi,
  cors_allowed_headers: corsByApi,
};

const listenerTypes = { tcp: tcpListener };

export const listenerStanza: StanzaDeclaration<typeof listenerTypes> = {
  name: "listener",
  types: listenerTypes,
  refusals: { unix: 'use listener "tcp" { address = "127.0.0.1:8200" }' },
};

export interface ListenerConfig extends Omit<Values<typeof tcpListener>, "max_request_duration"> {
  readonly type: "tcp";
  /** In milliseconds. */
  readonly max_request_duration: number;
}

type ListenerStanza = Stanza<typeof listenerTypes>;

/** What no key can be wrong about alone. */
export function checkListeners(stanzas: readonly ListenerStanza[], report: Report): void {
  const seen = new Map<string, ListenerStanza>();
  for (const stanza of stanzas) {
    if (!stanza.section.isSound) continue;
    checkTls(stanza, report);
    checkProxies(stanza, report);
    const where = parseListenAddress(stanza.values.address);
    const normal = normalListenAddress(where);
    const before = seen.get(normal);
    if (before === undefined || where.port === 0) seen.set(normal, stanza);
    else
      report.problem(
        stanza.section.placeOf("address"),
        `address: ${stanza.values.address} is taken by the listener at ${report.shown(before.place)}`,
      );
  }
}

function checkTls({ values, section, place }: ListenerStanza, report: Report): void {
  if (values.tls_require_and_verify_client_cert && values.tls_disable_client_certs) {
    const text = "tls_disable_client_certs: cannot be true together with tls_require_and_verify_client_cert";
    report.problem(section.placeOf("tls_disable_client_certs"), text);
  }
  if (values.tls_disable) return;
  if (values.tls_require_and_verify_client_cert && values.tls_client_ca_file === undefined) {
    const text = "tls_client_ca_file: must be set, as tls_require_and_verify_client_cert = true asks for";
    report.problem(place, text);
  }
  const missing = (["tls_cert_file", "tls_key_file"] as const).filter((key) => values[key] === undefined);
  if (missing.length === 0) return;
  report.problem(place, `${missing.join(" and ")}: must be set, unless tls_disable = true`);
}

function checkProxies({ values, section }: ListenerStanza, report: Report): void {
  const behavior = values.proxy_protocol_behavior;
  const isOpen = behavior === undefined || behavior === "use_always";
  if (!isOpen && values.proxy_protocol_authorized_addrs.length === 0) {
    const text = `proxy_protocol_behavior: "${behavior}" needs proxy_protocol_authorized_addrs`;
    report.problem(section.placeOf("proxy_protocol_behavior"), text);
  }
}
