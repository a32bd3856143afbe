/** The guide to the certificate authority: every command in it is run, in its order, by a shell. */
import { execFile } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";
import { Person } from "./person.ts";

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/pki.md"), "utf8");
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines!);
/** Everything is in the order of the page, and each block needs those before it. */
const printed = new Map<string, string>();

let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  server = await developmentServer();
  person = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: "root" });
  const program = join(person.home, "strongroom");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "src/cli/main.ts")}' "$@"\n`);
  chmodSync(program, 0o755);
});

afterAll(async () => {
  person?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test("the page has commands", () => expect(blocks.length).toBeGreaterThan(12));

test.each(blocks)("%s", { timeout: 60_000 }, async (lines) => {
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", lines], {
    cwd: person.home,
    env: {
      PATH: `${person.home}:${process.env["PATH"]}`,
      HOME: person.home,
      NODE_NO_WARNINGS: "1",
      ...person.environment,
    },
  });
  printed.set(lines, stdout);
});

const printedBy = (command: string): string =>
  [...printed].flatMap(([lines, text]) => (lines.includes(command) ? [text] : [])).join("");

test("what they leave behind", () => {
  expect(printedBy("openssl verify")).toContain("tls/www.example.com.pem: OK\n");
  expect(statSync(join(person.home, "tls/www.example.com.key")).mode & 0o777).toBe(0o600);
  expect(printedBy("health-check pki")).not.toMatch(/ (informational|warning|critical|insufficient_permissions) /);
  expect(printedBy("-dry-run")).toMatch(/^dns_names +\[shop\.example\.com\]$/m);
  expect(printedBy("openssl crl")).toMatch(/^nextUpdate=/m);
  expect(printedBy("-expiring=60d")).toMatch(/^\S+ +www\.example\.com .* web .* 29 days left$/m);
  expect(printedBy("-revoked")).toContain('"common_name": "api.example.com"');
});
