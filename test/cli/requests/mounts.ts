/** Requests: secrets and auth. */
import type { RequestCase } from "./request-case.ts";

export const mountsCases: readonly RequestCase[] = [
  { command: "secrets list", sends: ["GET /v1/sys/mounts"] },
  { command: "secrets enable kv", sends: [["POST /v1/sys/mounts/kv", { type: "kv", config: {} }]] },
  {
    command: "secrets enable -path=team/kv/ -version=2 -description=ours -max-lease-ttl=1h kv",
    sends: [
      [
        "POST /v1/sys/mounts/team/kv",
        { type: "kv", description: "ours", config: { max_lease_ttl: "1h0m0s" }, options: { version: "2" } },
      ],
    ],
  },
  {
    command: "secrets tune -default-lease-ttl=30s -audit-non-hmac-request-keys=a -listing-visibility=unauth kv/",
    sends: [
      [
        "POST /v1/sys/mounts/kv/tune",
        { default_lease_ttl: "30s", audit_non_hmac_request_keys: ["a"], listing_visibility: "unauth" },
      ],
    ],
  },
  { command: "secrets disable kv/", sends: ["DELETE /v1/sys/mounts/kv"] },
  {
    command: "secrets move a b",
    replies: {
      "POST /v1/sys/remount": { json: { data: { migration_id: "m1" } } },
      "GET /v1/sys/remount/status/m1": { json: { data: { migration_info: { status: "success" } } } },
    },
    sends: [["POST /v1/sys/remount", { from: "a/", to: "b/" }], "GET /v1/sys/remount/status/m1"],
  },
  { command: "auth list", sends: ["GET /v1/sys/auth"] },
  {
    command: "auth enable -path=people -token-type=batch userpass",
    sends: [["POST /v1/sys/auth/people", { type: "userpass", config: { token_type: "batch" } }]],
  },
  {
    command: "auth tune -max-lease-ttl=1h people",
    sends: [["POST /v1/sys/mounts/auth/people/tune", { max_lease_ttl: "1h0m0s" }]],
  },
  { command: "auth disable people", sends: ["DELETE /v1/sys/auth/people"] },
  { command: "auth move a auth/b", sends: [["POST /v1/sys/remount", { from: "auth/a/", to: "auth/b/" }]] },
  { command: "auth help people", sends: ["GET /v1/auth/people/?help=1"] },
];
