import { describe, expect, it } from "vitest";
import { type ListenerOptions, readListenerOptions } from "./listener-options.ts";

const plain: ListenerOptions = { address: "127.0.0.1:8200", tls_disable: true };
const secure: ListenerOptions = { address: "127.0.0.1:8200", tls_cert_file: "c", tls_key_file: "k" };

describe("an address", () => {
  it.each([
    ["127.0.0.1:8200", "127.0.0.1", 8200],
    ["localhost:0", "localhost", 0],
    [":8200", undefined, 8200],
    ["[::1]:8200", "::1", 8200],
    ["[::]:65535", "::", 65535],
  ])("%s", (address, host, port) => {
    expect(readListenerOptions({ ...plain, address })).toMatchObject({ host, port });
  });

  it.each(["", "8200", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:http", "127.0.0.1:-1"])(
    "%j is refused",
    (address) => {
      expect(() => readListenerOptions({ ...plain, address })).toThrow("address:");
    },
  );
});

describe("by default", () => {
  it("everything is limited", () => {
    expect(readListenerOptions(plain).limits).toEqual({
      headerTimeout: 10_000,
      readTimeout: 30_000,
      writeTimeout: 30_000,
      idleTimeout: 300_000,
      requestDuration: 90_000,
      requestSize: 33_554_432,
      headerSize: 65_536,
      connections: 10_000,
    });
  });

  it("TLS asks for a client's certificate and does not insist", () => {
    expect(readListenerOptions(secure).tls).toMatchObject({ minVersion: "TLSv1.2", clientCerts: "requested" });
  });

  it("no proxy is believed", () => {
    expect(readListenerOptions(plain)).toMatchObject({ forwardedFor: undefined, proxyProtocol: undefined });
  });
});

describe("an option", () => {
  it.each<[string, ListenerOptions, object]>([
    ["tls_disable", { ...secure, tls_disable: true }, { tls: undefined }],
    ["tls_min_version", { ...secure, tls_min_version: "tls13" }, { tls: { minVersion: "TLSv1.3" } }],
    ["tls_disable_client_certs", { ...secure, tls_disable_client_certs: true }, { tls: { clientCerts: "off" } }],
    [
      "tls_require_and_verify_client_cert",
      { ...secure, tls_require_and_verify_client_cert: true, tls_client_ca_file: "ca" },
      { tls: { clientCerts: "required", clientCaFile: "ca" } },
    ],
    ["http_read_timeout", { ...plain, http_read_timeout: 60 }, { limits: { readTimeout: 60_000 } }],
    // node does not take a shorter time for the whole than for its head
    ["http_read_timeout", { ...plain, http_read_timeout: 5 }, { limits: { readTimeout: 10_000 } }],
    ["max_request_size", { ...plain, max_request_size: -1 }, { limits: { requestSize: Number.POSITIVE_INFINITY } }],
    ["max_request_duration", { ...plain, max_request_duration: 0.5 }, { limits: { requestDuration: 500 } }],
    [
      "x_forwarded_for_authorized_addrs",
      { ...plain, x_forwarded_for_authorized_addrs: ["10.0.0.0/8"] },
      { forwardedFor: { hopSkips: 0, rejectNotPresent: true, rejectNotAuthorized: true } },
    ],
    [
      "proxy_protocol_behavior",
      { ...plain, proxy_protocol_behavior: "use_always" },
      { proxyProtocol: { behavior: "use_always", authorized: [], timeout: 10_000 } },
    ],
  ])("%s is understood", (_, options, expected) => {
    expect(readListenerOptions(options)).toMatchObject(expected);
  });

  it.each<[string, ListenerOptions]>([
    ["tls_cert_file and tls_key_file", { address: ":1" }],
    ["tls_cert_file and tls_key_file", { address: ":1", tls_cert_file: "c" }],
    ["tls_min_version", { ...secure, tls_min_version: "tls10" }],
    ["tls_client_ca_file", { ...secure, tls_require_and_verify_client_cert: true }],
    [
      "tls_require_and_verify_client_cert and tls_disable_client_certs",
      { ...secure, tls_require_and_verify_client_cert: true, tls_disable_client_certs: true },
    ],
    ["http_idle_timeout", { ...plain, http_idle_timeout: 0 }],
    ["http_write_timeout", { ...plain, http_write_timeout: -1 }],
    ["max_request_duration", { ...plain, max_request_duration: Number.NaN }],
    ["max_connections", { ...plain, max_connections: 0 }],
    ["x_forwarded_for_authorized_addrs", { ...plain, x_forwarded_for_authorized_addrs: ["10.0.0.0/99"] }],
    [
      "x_forwarded_for_hop_skips",
      { ...plain, x_forwarded_for_authorized_addrs: ["::1"], x_forwarded_for_hop_skips: -1 },
    ],
    ["proxy_protocol_behavior", { ...plain, proxy_protocol_behavior: "sometimes" }],
    ["proxy_protocol_authorized_addrs", { ...plain, proxy_protocol_behavior: "allow_authorized" }],
    [
      "proxy_protocol_authorized_addrs",
      { ...plain, proxy_protocol_behavior: "deny_unauthorized", proxy_protocol_authorized_addrs: ["nowhere"] },
    ],
  ])("%s that makes no sense is refused by its name", (name, options) => {
    expect(() => readListenerOptions(options)).toThrow(`${name}:`);
  });
});
