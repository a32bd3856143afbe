import { expect, test } from "vitest";
import { parseServerConfig } from "../config/server-config.ts";
import { sanitizedConfig } from "./sanitized-config.ts";

const text = `
  api_addr     = "https://strongroom.example.com:8200"
  cluster_name = "east"
  log_level    = "debug"
  storage "postgresql" { connection_url = "postgres://user:hunter2@db/x" }
  seal "static" {
    current_key_id  = "hunter2-id"
    current_key     = "${"ab".repeat(32)}"
    previous_key_id = "older"
    previous_key    = "env://HUNTER2"
  }
  listener "tcp" {
    address = "127.0.0.1:8200"
    tls_disable = true
    custom_response_headers { default = { "X-Gateway-Key" = ["hunter2"] } }
    telemetry { unauthenticated_metrics_access = true }
  }
  audit "http" "siem" { options { uri = "https://siem.example.com/hunter2" headers = "{\\"authorization\\":\\"hunter2\\"}" } }
`;

test("what an operator may show around has no secret in it, and tells what helps", () => {
  const { config } = parseServerConfig([{ file: "test.hcl", text }]);
  const shown = sanitizedConfig(config);
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|abab|postgres:/i);
  expect(shown).toMatchObject({
    api_addr: "https://strongroom.example.com:8200",
    cluster_name: "east",
    log_level: "debug",
    seals: [{ type: "static", disabled: false }],
    storage: { type: "postgresql", redirect_addr: "https://strongroom.example.com:8200" },
    listeners: [
      {
        type: "tcp",
        config: {
          address: "127.0.0.1:8200",
          tls_disable: true,
          telemetry: { unauthenticated_metrics_access: true },
        },
      },
    ],
  });
});
