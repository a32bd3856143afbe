import { describe, expect, test } from "vitest";
import { parseServerConfig } from "../config/server-config.ts";
import { hiddenPaths, listenerOptions, openPaths } from "./listener.ts";

function listener(settings: string) {
  const text = `storage "inmem" {}\nlistener "tcp" {\n tls_disable = true\n ${settings}\n}`;
  return parseServerConfig([{ file: "test.hcl", text }]).config.listeners[0]!;
}

describe("operations without a token", () => {
  const both = listener("");
  const rekeyOnly = listener("disable_unauthed_rekey_endpoints = false");
  const rootOnly = listener("disable_unauthed_generate_root_endpoints = false");

  test.each([
    ["sys/rekey/init", true, false, true],
    ["sys/rekey/update", true, false, true],
    ["sys/rekey/verify", true, false, true],
    ["sys/rekey-recovery-key/init", true, false, true],
    ["sys/generate-root/attempt", true, true, false],
    ["sys/generate-root/update", true, true, false],
    // These ask for a token.
    ["sys/rekey/backup", false, false, false],
    ["sys/rekey/initial", false, false, false],
    ["sys/rotate/root/init", false, false, false],
    ["sys/generate-root-token/attempt", false, false, false],
    ["kv/sys/rekey/init", false, false, false],
  ])("%s is hidden by default: %s, where rekeying is offered: %s, where root tokens are: %s", (path, ...expected) => {
    expect([both, rekeyOnly, rootOnly].map((config) => hiddenPaths(config)(path))).toEqual(expected);
  });
});

test.each([
  ["", undefined],
  ["telemetry { unauthenticated_metrics_access = true }", ["sys/metrics"]],
  ["inflight_requests_logging { unauthenticated_in_flight_requests_access = true }", ["sys/in-flight-req"]],
])("a listener with %j is open at %j", (settings, expected) => {
  const paths = openPaths(listener(settings));
  expect(paths && [...paths]).toEqual(expected);
});

test("times are handed on in seconds, and no limit becomes a day", () => {
  const options = listenerOptions(listener('http_idle_timeout = "0s"\nmax_request_duration = "1500ms"'), undefined);
  expect(options).toMatchObject({ http_idle_timeout: 86_400, max_request_duration: 1.5, http_read_timeout: 30 });
});
