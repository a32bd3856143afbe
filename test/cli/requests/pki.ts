/** Requests: certificates. */
import type { RequestCase } from "./request-case.ts";

const csr = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n";
const certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
const page = (...keys: string[]) => ({ data: { keys, key_info: {}, next: "" } });

export const pkiCases: readonly RequestCase[] = [
  {
    command: "pki issue pki/web common_name=a.example.com ttl=1h",
    sends: [["POST /v1/pki/issue/web", { common_name: "a.example.com", ttl: "1h" }]],
  },
  {
    command: "pki issue team/pki/web common_name=a -dry-run",
    sends: [["POST /v1/team/pki/issue/web", { common_name: "a", dry_run: true }]],
  },
  { command: "pki issue -mount=ca web", sends: [["POST /v1/ca/issue/web", {}]] },
  { command: "pki sign web - ttl=1h", input: csr, sends: [["POST /v1/pki/sign/web", { csr, ttl: "1h" }]] },
  { command: "pki revoke 0a:1b", sends: [["POST /v1/pki/revoke", { serial_number: "0a:1b" }]] },
  {
    command: "pki revoke 0A1B -mount=ca -reason=keyCompromise",
    sends: [["POST /v1/ca/revoke", { serial_number: "0a:1b", reason: "keyCompromise" }]],
  },
  {
    command: "pki revoke -",
    input: `subject: somebody\n${certificate}\n${certificate}\n`,
    sends: [["POST /v1/pki/revoke", { certificate }]],
  },
  { command: "pki revoke -", input: "no certificate", sends: [] },
  {
    command: "pki certs -name=*.example.com -role=web -issuer=root",
    sends: ["GET /v1/pki/certs/search?name=*.example.com&issuer_ref=root&role=web&limit=1000"],
  },
  {
    command: "pki certs -revoked=false",
    sends: [
      "GET /v1/pki/certs/search?revoked=false&limit=1000",
      "GET /v1/pki/certs/search?revoked=false&limit=1000&after=0a",
    ],
    replies: {
      "GET /v1/pki/certs/search?revoked=false&limit=1000": { json: { data: { ...page("01").data, next: "0a" } } },
      "GET /v1/pki/certs/search?revoked=false&limit=1000&after=0a": { json: page("02") },
    },
  },
  {
    command: "pki certs -limit=1 -after=09",
    sends: ["GET /v1/pki/certs/search?limit=1&after=09"],
    replies: {
      "GET /v1/pki/certs/search?limit=1&after=09": { json: { data: { ...page("01").data, next: "0a" } } },
    },
  },
  { command: "pki health-check -list", sends: [] },
  { command: "pki health-check", sends: [] },
];
