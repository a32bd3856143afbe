/** Requests: policies, tokens and leases. */
import type { RequestCase } from "./request-case.ts";

export const tokensCases: readonly RequestCase[] = [
  { command: "policy list", sends: ["GET /v1/sys/policies/acl?list=true"] },
  { command: "policy read Reader", sends: ["GET /v1/sys/policies/acl/reader"] },
  {
    command: "policy write reader -",
    sends: [["PUT /v1/sys/policies/acl/reader", { policy: "rules" }]],
    input: "rules",
  },
  { command: "policy delete reader", sends: ["DELETE /v1/sys/policies/acl/reader"] },
  { command: "token lookup", sends: ["GET /v1/auth/token/lookup-self"] },
  { command: "token lookup s.x", sends: [["POST /v1/auth/token/lookup", { token: "s.x" }]] },
  { command: "token lookup -", sends: [["POST /v1/auth/token/lookup", { token: "s.x" }]], input: "s.x\n" },
  { command: "token lookup -accessor x", sends: [["POST /v1/auth/token/lookup-accessor", { accessor: "x" }]] },
  { command: "token create", sends: [["POST /v1/auth/token/create", {}]] },
  {
    command: "token create -role=ci -policy=a -policy=b -ttl=1h -orphan -renewable=false -use-limit=3 -metadata=k=v",
    sends: [
      [
        "POST /v1/auth/token/create/ci",
        {
          policies: ["a", "b"],
          ttl: "1h0m0s",
          no_parent: true,
          renewable: false,
          num_uses: 3,
          meta: { k: "v" },
        },
      ],
    ],
  },
  { command: "token renew", sends: [["PUT /v1/auth/token/renew-self", { increment: 0 }]] },
  {
    command: "token renew -increment=90s s.x",
    sends: [["PUT /v1/auth/token/renew", { token: "s.x", increment: 90 }]],
  },
  { command: "token revoke -self", sends: [["PUT /v1/auth/token/revoke-self", undefined]] },
  { command: "token revoke s.x", sends: [["PUT /v1/auth/token/revoke", { token: "s.x" }]] },
  { command: "token revoke -accessor x", sends: [["PUT /v1/auth/token/revoke-accessor", { accessor: "x" }]] },
  { command: "token revoke -mode=orphan s.x", sends: [["PUT /v1/auth/token/revoke-orphan", { token: "s.x" }]] },
  {
    command: "token revoke -mode=path auth/people/login",
    sends: [["PUT /v1/sys/leases/revoke-prefix/auth/people/login", { sync: true }]],
  },
  { command: "token capabilities a/b", sends: [["POST /v1/sys/capabilities-self", { path: "a/b" }]] },
  { command: "token capabilities s.x a/b", sends: [["POST /v1/sys/capabilities", { token: "s.x", path: "a/b" }]] },
  {
    command: "policy explain -operation=update a/b",
    sends: [["POST /v1/sys/capabilities-explain", { path: "a/b", operation: "update" }]],
  },
  {
    command: "policy explain -operation=list s.x a/b",
    sends: [["POST /v1/sys/capabilities-explain", { path: "a/b/", operation: "list", token: "s.x" }]],
  },
  { command: "lease list a/b", sends: ["GET /v1/sys/leases/lookup/a/b?list=true"] },
  { command: "lease lookup a/b", sends: [["PUT /v1/sys/leases/lookup", { lease_id: "a/b" }]] },
  {
    command: "lease renew -increment=1m a/b",
    sends: [["PUT /v1/sys/leases/renew", { lease_id: "a/b", increment: 60 }]],
  },
  { command: "lease revoke a/b", sends: [["PUT /v1/sys/leases/revoke", { lease_id: "a/b", sync: false }]] },
  { command: "lease revoke -prefix -sync a/", sends: [["PUT /v1/sys/leases/revoke-prefix/a", { sync: true }]] },
  { command: "lease revoke -prefix -force a", sends: [["PUT /v1/sys/leases/revoke-force/a", { sync: false }]] },
];
