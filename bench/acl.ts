/** How long a decision takes: compiled lists of several sizes, and the way from policy names to a list. */
import { randomBytes } from "node:crypto";
import { Acl } from "../src/core/policies/acl.ts";
import { defaultPolicyText } from "../src/core/policies/default-policy.ts";
import { parsePolicy } from "../src/core/policies/parse-policy.ts";
import { Policies } from "../src/core/policies/policies.ts";
import { policyFor } from "../src/core/policies/policy.ts";
import type { IdentityView } from "../src/core/policies/templating.ts";
import type { AccessRequest } from "../src/core/policies/verdict.ts";
import { MapStorage } from "../test/support/engine-caller.ts";

const now = new Date();
const identity: IdentityView = {
  entity: { id: randomBytes(16).toString("hex"), name: "ada", metadata: {}, aliases: {} },
  groups: { ids: {}, names: {} },
  now,
};

/** Equal strings that are not the same one. Each is hashed at its first use only; a real request pays that every time. */
const copies = (path: string) => Array.from({ length: 1000 }, () => Buffer.from(path).toString());

function measure(name: string, work: (round: number) => unknown, rounds = 1_000_000): void {
  for (let round = 0; round < rounds / 10; round++) work(round);
  const start = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work(round);
  report(name, start, rounds);
}

/** Processor time, so that a busy machine says nearly the same as an idle one. */
function report(name: string, start: NodeJS.CpuUsage, rounds: number): void {
  const { user, system } = process.cpuUsage(start);
  const nanoseconds = ((user + system) * 1000) / rounds;
  console.log(`${name.padEnd(60)} ${nanoseconds.toFixed(0).padStart(7)} ns`);
}

const rulesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const path = [`secret/data/team-${index}/*`, `secret/data/app-${index}/config`, `kv/+/app-${index}/*`][index % 3];
    return `path "${path}" { capabilities = ["read", "list"] }`;
  }).join("\n");

const freedom = { slashes: false, wildcards: false };
const defaults = policyFor(parsePolicy("default", defaultPolicyText), identity, freedom);

for (const count of [10, 100, 1000]) {
  const acl = new Acl([defaults, parsePolicy("web", rulesOf(count))]);
  const paths: [string, AccessRequest["operation"], string][] = [
    ["exact", "read", "secret/data/app-1/config"],
    ["prefix", "read", "secret/data/team-9/database/password"],
    ["segment wildcard", "read", "kv/eu/app-2/some/key"],
    ["list", "list", "secret/data/team-9/"],
    ["nothing matches", "read", "transit/keys/orders"],
  ];
  for (const [what, operation, path] of paths) {
    const requests = copies(path).map((each): AccessRequest => ({ operation, path: each, now }));
    measure(`decide among ${count} rules: ${what}`, (round) => acl.allows(requests[round % 1000]!));
  }
}

const constrained = new Acl([
  parsePolicy(
    "p",
    'path "pki/issue/*" { capabilities = ["update"] allowed_parameters { common_name = ["*.example.com"], "*" = [] } }',
  ),
]);
const body = { common_name: "web.example.com", ttl: "1h", alt_names: "" };
measure("decide with parameters", () => constrained.allows({ operation: "update", path: "pki/issue/web", body, now }));

measure("parse the default policy", () => parsePolicy("default", defaultPolicyText), 2000);
measure("compile 20 rules", () => new Acl([defaults]).allows({ operation: "read", path: "x", now }), 20_000);

/** Keeps parsed values as the record cache does. */
class CachedStorage extends MapStorage {
  readonly #parsed = new Map<string, unknown>();

  override async read<T>(key: string, parse: (bytes: Uint8Array) => T) {
    if (!this.#parsed.has(key)) this.#parsed.set(key, await super.read(key, parse));
    return this.#parsed.get(key) as T | undefined;
  }
}

const storage = new CachedStorage();
const policies = new Policies();
policies.initialize(storage, now);
await policies.put("web", { policy: rulesOf(100) }, storage, now);
const names = ["default", "web"];
for (let round = 0; round < 20_000; round++) await policies.aclFor(names, () => identity, storage, now);
const start = process.cpuUsage();
for (let round = 0; round < 200_000; round++) await policies.aclFor(names, () => identity, storage, now);
report("from two names to a compiled list (cached)", start, 200_000);
