import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { noOpenssl } from "../support/issued-certificates.ts";

/** That they run and print; what they print is for people. */

const root = join(import.meta.dirname, "../..");
const run = async (...args: string[]) => (await promisify(execFile)(process.execPath, args, { cwd: root })).stdout;

test("the benchmarks of a server run", async ({ skip }) => {
  skip(!existsSync(join(root, "dist/cli/main.js")), "what is measured is not built: npm run build");
  const output = await run("bench/run.ts", "--quick");
  for (const row of ["bare node:http", "sys/health", "token lookup-self", "KV v2 read", "KV v2 write", "page of 100"]) {
    expect(output).toMatch(new RegExp(`^${row}.* [\\d,]+ +[\\d.]+ +[\\d.]+`, "m"));
  }
  expect(output).toContain("workers behind one port");
  expect(output).toContain("start to ready");
});

test("the benchmark without sockets runs", async () => {
  expect(await run("bench/kernel.ts", "--quick")).toMatch(/KV v2 write +\d+\.\d/);
});

test("the benchmark of leases runs", async () => {
  const output = await run("bench/leases.ts", "--quick");
  expect(output).toMatch(/^1,000 +[\d,]+ +\d+/m);
  expect(output).toMatch(/^leases ended in a second +[\d,]+/m);
  expect(output).toMatch(/^until every token is gone, s +[\d.]+/m);
});

test("the benchmark of certificates runs", async ({ skip }) => {
  skip(noOpenssl !== undefined, noOpenssl);
  const output = await run("bench/pki.ts", "--quick");
  for (const row of [
    "bare crypto.sign",
    "sign a P-256 request, stored",
    "OCSP",
    "CRL of 5",
    "issue, RSA-2048, no key",
  ]) {
    expect(output).toMatch(new RegExp(`^${row}.* [\\d,]+ +[\\d.]+ +[\\d.]+ +\\d+`, "m"));
  }
  expect(output).toMatch(/^issue, RSA-2048, keys ready +[\d.]+ +[\d.]+$/m);
});
