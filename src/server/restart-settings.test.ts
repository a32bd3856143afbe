import { expect, test } from "vitest";
import { parseServerConfig } from "../config/server-config.ts";
import { waitingForRestart } from "./restart-settings.ts";

const plain = `
  storage "inmem" {}
  listener "tcp" { tls_disable = true }
`;
const config = (text: string) => parseServerConfig([{ file: "test.hcl", text }]).config;

test.each<[string, string, string[]]>([
  ["nothing", plain, []],
  ["what is reloaded", `${plain} log_level = "debug"\nlog_requests_level = "info"`, []],
  [
    "headers of a listener",
    'storage "inmem" {}\nlistener "tcp" { tls_disable = true\ncustom_response_headers { default = { "X-A" = ["b"] } } }',
    [],
  ],
  ["a lifetime", `${plain} max_lease_ttl = "1h"`, ["default_lease_ttl", "max_lease_ttl"]],
  ["the store", 'storage "lmdb" { path = "/tmp/x" }\nlistener "tcp" { tls_disable = true }', ["storage"]],
  ["the seal", `${plain} seal "static" { current_key_id = "a"\ncurrent_key = "env://K" }`, ["seal"]],
  ["a nested group", `${plain} telemetry { metrics_prefix = "x" }`, ["telemetry"]],
  ["an address", 'storage "inmem" {}\nlistener "tcp" { tls_disable = true\naddress = ":1" }', ["listener.address"]],
  ["one more listener", `${plain} listener "tcp" { tls_disable = true\naddress = ":1" }`, ["listener"]],
])("of %s, this waits for the next start", (_what, text, expected) => {
  expect(waitingForRestart(config(plain), config(text))).toEqual(expected);
});
