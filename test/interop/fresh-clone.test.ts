/** A clone on a machine with nothing but Node and npm comes up with one command, for every pair of them that we promise. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** What a bare Debian has in PATH that npm, git and our launcher use. */
const commands = ["sh", "env", "git", "find", "head", "sed", "readlink", "uname", "getconf", "ps"];

const machines = [
  { node: "20.19.0", npm: "10.8.2" },
  { node: "22.12.0", npm: "10.9.0" },
  { node: "24.21.0", npm: "11.19.1" },
];

interface Machine {
  readonly path: string;
  readonly home: string;
}

describe.each(machines)("Node $node with npm $npm", ({ node, npm }) => {
  let folder: string;
  let clone: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "strongroom-fresh-"));
    clone = join(folder, "clone");
    const { path, home } = await bareMachine(folder, node, npm);
    env = { PATH: path, HOME: home, ...certificates() };
    await run("git", ["clone", "--quiet", root, clone]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("npm start serves, keeps its data, and is clean after", async ({ skip }) => {
    skip(!existsSync(join(root, "src/cli/main.ts")), "src/cli/main.ts is not written yet");
    const address = `127.0.0.1:${await freePort()}`;
    for (const time of ["first", "second"]) {
      const server = spawn("npm", ["start", "--", `-dev-listen-address=${address}`], { cwd: clone, env });
      const output = collect(server);
      await untilHealthy(`http://${address}/v1/sys/health`, server, output);
      server.kill("SIGTERM");
      const [code] = await once(server, "exit");
      expect(code, output()).toBe(0);
      expect(output().includes("installing dependencies")).toBe(time === "first");
      expect(output()).not.toMatch(/npm (warn|error)|EBADENGINE|deprecated/i);
    }
    const { stdout } = await run("git", ["status", "--porcelain"], { cwd: clone });
    expect(stdout).toBe("");
  });

  test("the tests of the stores find LMDB and PostgreSQL", async () => {
    const args = ["test", "--", "src/core/storage"];
    const { stdout } = await run("npm", args, { cwd: clone, env, maxBuffer: 2 ** 26 });
    expect(stdout).toMatch(/^\d+ passed, 0 failed/m);
  });
});

async function bareMachine(folder: string, node: string, npm: string): Promise<Machine> {
  const [tools, bin, home] = [join(folder, "tools"), join(folder, "bin"), join(folder, "home")];
  for (const made of [tools, bin, home]) await mkdir(made);
  await writeFile(join(tools, "package.json"), "{}");
  const runtime = `node-${process.platform}-${process.arch}`;
  await run("npm", ["install", "--no-audit", "--no-fund", `${runtime}@${node}`, `npm@${npm}`], { cwd: tools });
  await symlink(join(tools, "node_modules", runtime, "bin/node"), join(bin, "node"));
  const cli = join(tools, "node_modules/npm/bin/npm-cli.js");
  await writeFile(join(bin, "npm"), `#!/bin/sh\nexec '${join(bin, "node")}' '${cli}' "$@"\n`);
  await chmod(join(bin, "npm"), 0o755);
  for (const command of commands) {
    const { stdout } = await run("sh", ["-c", `command -v ${command} || true`]);
    if (stdout.startsWith("/")) await symlink(stdout.trim(), join(bin, command));
  }
  return { path: bin, home };
}

/** A machine behind a proxy with its own certificate authority names it in one of these. */
function certificates(): NodeJS.ProcessEnv {
  const bundle = "/etc/ssl/certs/ca-certificates.crt";
  return existsSync(bundle) ? { NODE_EXTRA_CA_CERTS: bundle } : {};
}

function collect(child: ChildProcess): () => string {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return () => output;
}

async function untilHealthy(url: string, server: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`npm start ended with ${server.exitCode}:\n${output()}`);
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
