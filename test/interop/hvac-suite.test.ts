/** hvac's own integration tests, unmodified, against servers that they start themselves. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { type Hvac, installHvac } from "../../scripts/interop/hvac.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/**
 * Files of the suite, and the version that they take the server for, if not its own. What only a cloud's own engine or
 * an enterprise edition would serve is left out.
 */
const files = [
  "v1/test_integration",
  "v1/test_system_backend",
  "v1/test_approle",
  "api/system_backend/test_audit",
  "api/system_backend/test_auth",
  "api/system_backend/test_health",
  "api/system_backend/test_init",
  "api/system_backend/test_key",
  "api/system_backend/test_leader",
  "api/system_backend/test_lease",
  "api/system_backend/test_mount",
  "api/system_backend/test_policies",
  "api/system_backend/test_policy",
  // The suite tests no quotas of servers from 1.15 on.
  { file: "api/system_backend/test_quota", version: "1.14.8" },
  "api/system_backend/test_seal",
  "api/system_backend/test_wrapping",
  "api/secrets_engines/test_identity",
  "api/secrets_engines/test_kv_v1",
  "api/secrets_engines/test_kv_v2",
  "api/secrets_engines/test_pki",
  "api/secrets_engines/test_ssh",
  "api/secrets_engines/test_transit",
  "api/auth_methods/test_approle",
  "api/auth_methods/test_cert",
  "api/auth_methods/test_jwt",
  "api/auth_methods/test_kubernetes",
  "api/auth_methods/test_ldap",
  "api/auth_methods/test_oidc",
  "api/auth_methods/test_token",
].map((entry) => (typeof entry === "string" ? { file: entry, version: "" } : entry));

interface Outcome {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly reason: string;
}

/** What is known to fail, and why: by what the server or the client said, or by the name of the test. */
const known: readonly { readonly said?: RegExp; readonly name?: RegExp; readonly why: string }[] = [
  { said: /plugin not found in the catalog: (gcp|github|ldap)/, why: "there is no such engine" },
  {
    said: /plugin not found in the catalog: (jwt|kubernetes|oidc|ssh|transit)/,
    why: "the engine is not written yet",
  },
  { said: /unsupported path\s+, on \w+ \S+\/v1\/identity\/oidc\//, why: "identity tokens are not written yet" },
  {
    name: /TestIdentity::test_create_or_update_group_3_create_success_with_group_type/,
    why: "members that a group never had are an empty list and not null",
  },
  {
    name: /TestPki::test_delete_issuer/,
    why: "the test wants a 500 for an issuer that is not there; it is 404",
  },
  {
    name: /TestQuota::test_(create|read|update)_quota/,
    why: "the test wants the keys of one older version; the answer also tells whether the quota is inherited",
  },
  {
    name: /TestPolicies::test_(create|read|update)_acl_policy/,
    why: "the test wants two keys and no other; the answer also tells the policy's version, as the interface has it",
  },
];

let hvac: Hvac | undefined;
let unavailable = "";
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

beforeAll(async () => {
  try {
    hvac = await installHvac();
  } catch (error) {
    if (!(error instanceof ToolUnavailable)) throw error;
    unavailable = error.message;
  }
});

afterAll(() => {
  const lines = [...counts].sort(([, a], [, b]) => b - a).map(([what, times]) => `${times} ${what}`);
  if (lines.length > 0) console.info(`hvac's own tests:\n  ${lines.join("\n  ")}`);
});

test.for(files)("$file", async ({ file, version }, { skip }) => {
  if (hvac === undefined) return skip(unavailable);
  const outcomes = await runSuite(hvac, file, version);
  const unexplained: string[] = [];
  for (const { name, outcome, reason } of outcomes) {
    const explanation = outcome === "failed" ? known.find((entry) => explains(entry, name, reason)) : undefined;
    if (outcome === "failed" && explanation === undefined) unexplained.push(`${name}: ${reason}`);
    count(
      explanation ? `failed: ${explanation.why}` : outcome === "skipped" ? `skipped: ${shortened(reason)}` : outcome,
    );
  }
  expect(outcomes).not.toEqual([]);
  expect(unexplained).toEqual([]);
  if (!outcomes.some(({ outcome }) => outcome === "passed"))
    skip("hvac's own tests: nothing of this file is served yet");
});

const explains = ({ said, name }: (typeof known)[number], test: string, reason: string) =>
  (said?.test(reason) ?? false) || (name?.test(test) ?? false);

const shortened = (reason: string) => reason.replace(/^Skipped: /, "").slice(0, 80);

async function runSuite({ packages, suite }: Hvac, file: string, version: string): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-hvac-"));
  const report = join(folder, "report");
  const args = ["-m", "pytest", "-p", "hvac_report", "-o", "addopts=", "-q", `tests/integration_tests/${file}.py`];
  const env = {
    ...process.env,
    PATH: [join(root, "scripts/interop/bin"), process.env["PATH"]].join(delimiter),
    PYTHONPATH: [packages, import.meta.dirname].join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
    HVAC_REPORT: report,
    INTEROP_NODE: process.execPath,
    INTEROP_VAULT_VERSION: version,
  };
  try {
    // A run with failed tests ends with an error; what counts is the report.
    const { stdout } = await run("python3", args, { cwd: suite, env, maxBuffer: 2 ** 28 }).catch((error) => error);
    const text = await readFile(report, "utf8").catch(() => {
      throw new Error(`pytest did not report:\n${stdout}`);
    });
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Outcome);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
