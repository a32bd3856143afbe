/** Requests: operator. */
import type { RequestCase } from "./request-case.ts";

export const operatorCases: readonly RequestCase[] = [
  { command: "operator init -status", sends: ["GET /v1/sys/init"] },
  {
    command: "operator init -key-shares=1 -key-threshold=1",
    sends: ["GET /v1/sys/seal-status", ["PUT /v1/sys/init", { secret_shares: 1, secret_threshold: 1 }]],
  },
  {
    command: "operator init",
    replies: { "GET /v1/sys/seal-status": { json: { recovery_seal: true } } },
    sends: ["GET /v1/sys/seal-status", ["PUT /v1/sys/init", { recovery_shares: 5, recovery_threshold: 3 }]],
  },
  {
    command: "operator unseal k1",
    sends: [["PUT /v1/sys/unseal", { key: "k1", reset: false, migrate: false }], "GET /v1/sys/leader"],
  },
  {
    command: "operator unseal",
    typed: ["k1"],
    sends: [["PUT /v1/sys/unseal", { key: "k1", reset: false, migrate: false }], "GET /v1/sys/leader"],
  },
  {
    command: "operator unseal -reset",
    sends: [["PUT /v1/sys/unseal", { reset: true, migrate: false }], "GET /v1/sys/leader"],
  },
  { command: "operator seal", sends: [["PUT /v1/sys/seal", undefined]] },
  { command: "operator rotate", sends: ["POST /v1/sys/rotate/keyring", "GET /v1/sys/key-status"] },
  { command: "operator key-status", sends: ["GET /v1/sys/key-status"] },
  { command: "operator members", sends: ["GET /v1/sys/ha-status"] },
  {
    command: "operator rotate-keys -init -key-shares=3 -key-threshold=2 -verify",
    sends: [["PUT /v1/sys/rotate/root/init", { secret_shares: 3, secret_threshold: 2, require_verification: true }]],
  },
  { command: "operator rotate-keys -cancel", sends: ["DELETE /v1/sys/rotate/root/init"] },
  { command: "operator rotate-keys -status -target=recovery", sends: ["GET /v1/sys/rotate/recovery/init"] },
  { command: "operator rotate-keys -verify -cancel", sends: ["DELETE /v1/sys/rotate/root/verify"] },
  {
    command: "operator rotate-keys k1",
    replies: { "GET /v1/sys/rotate/root/init": { json: { data: { nonce: "n1" } } } },
    sends: ["GET /v1/sys/rotate/root/init", ["PUT /v1/sys/rotate/root/update", { key: "k1", nonce: "n1" }]],
  },
  {
    command: "operator rotate-keys -verify -nonce=n2 k1",
    sends: [["PUT /v1/sys/rotate/root/verify", { key: "k1", nonce: "n2" }]],
  },
  { command: "operator rekey -status", sends: ["GET /v1/sys/rekey/init"] },
  { command: "operator rekey -target=recovery -cancel", sends: ["DELETE /v1/sys/rekey-recovery-key/init"] },
  {
    command: "operator generate-root -init -otp=o",
    sends: [["PUT /v1/sys/generate-root-token/attempt", { otp: "o" }]],
  },
  { command: "operator generate-root -status", sends: ["GET /v1/sys/generate-root-token/attempt"] },
  { command: "operator generate-root -cancel", sends: ["DELETE /v1/sys/generate-root-token/attempt"] },
  {
    command: "operator generate-root k1",
    replies: { "GET /v1/sys/generate-root-token/attempt": { json: { data: { nonce: "n1" } } } },
    sends: [
      "GET /v1/sys/generate-root-token/attempt",
      ["PUT /v1/sys/generate-root-token/update", { key: "k1", nonce: "n1" }],
    ],
  },
  { command: "operator generate-root -decode=GxwNBx0 -otp=hello", sends: [] },
];
