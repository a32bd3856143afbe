/** bin/strongroom finds itself and its Node from anywhere, and hands over arguments, exit code and limits unharmed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Outcome, ToyCheckout } from "../support/toy-checkout.ts";

const root = join(import.meta.dirname, "../..");

describe("in this checkout", () => {
  test("prints its version from another folder and through links", async ({ skip }) => {
    skip(!existsSync(join(root, "src/cli/main.ts")), "src/cli/main.ts is not written yet");
    const folder = await mkdtemp(join(tmpdir(), "strongroom-links-"));
    await symlink(join(root, "bin/strongroom"), join(folder, "far"));
    await symlink("far", join(folder, "near"));
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    for (const command of [join(root, "bin/strongroom"), join(folder, "near")]) {
      const { stdout } = await promisify(execFile)(command, ["-version"], { cwd: folder });
      expect(stdout).toBe(`Strongroom v${version}\n`);
    }
    await rm(folder, { recursive: true });
  });
});

describe("in an installed package", () => {
  let toy: ToyCheckout;

  beforeAll(async () => {
    toy = await ToyCheckout.create();
    await toy.strongroom();
    await toy.keepPackageOnly();
    await useNode(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  });

  afterAll(() => toy[Symbol.asyncDispose]());

  const useNode = (script: string): Promise<void> => toy.fakeCommand("node", script);

  const reported = ({ stdout }: Outcome) => JSON.parse(stdout);

  test("runs without set-up", async () => {
    const outcome = await toy.strongroom();
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(reported(outcome)).toMatchObject({ greeting: "first", node: process.version });
  });

  test("is found through the folder it is in, a relative name, PATH and a chain of links", async () => {
    const bin = join(toy.folder, "bin");
    await symlink("../bin/strongroom", join(bin, "one"));
    await symlink(join(bin, "one"), join(toy.folder, "two"));
    await symlink("..", join(bin, "up"));
    const ways: [string, string, NodeJS.ProcessEnv?][] = [
      ["./strongroom", bin],
      ["bin/strongroom", toy.folder],
      ["./two", toy.folder],
      ["up/bin/one", bin],
      ["two", "/", { PATH: `${toy.folder}:${toy.environment()["PATH"]}` }],
    ];
    for (const [command, cwd, extra] of ways) {
      expect(reported(await toy.run(command, [], extra, cwd)), command).toMatchObject({ greeting: "first" });
    }
    expect(reported(await toy.run("sh", ["strongroom"], {}, bin))).toMatchObject({ greeting: "first" });
  });

  test("passes every argument on as it is", async () => {
    const args = ["write", "", "a b", "*", "$HOME", "line\nline", "--", "-x", "'\"\\"];
    expect(reported(await toy.strongroom(args)).args).toEqual(args);
  });

  test("ends with the program's exit code", async () => {
    expect((await toy.strongroom(["exit", "42"])).code).toBe(42);
  });

  test("allows no core file", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux shows a process its limits");
    const generous = 'ulimit -S -c "$(ulimit -H -c)"; exec "$0"';
    const outcome = await toy.run("sh", ["-c", generous, join(toy.folder, "bin/strongroom")]);
    expect(reported(outcome).core).toBe("0");
  });

  test("sizes the thread pool unless it is told a size", async () => {
    expect(Number(reported(await toy.strongroom()).pool)).toBeGreaterThanOrEqual(2);
    expect(reported(await toy.strongroom([], { UV_THREADPOOL_SIZE: "9" })).pool).toBe("9");
  });

  test.each([
    { version: "26.9.9", accepted: false },
    { version: "26.10.0", accepted: true },
    { version: "26.10.3", accepted: true },
    { version: "26.11.0", accepted: true },
    { version: "26.2.20", accepted: false },
    { version: "27.0.0", accepted: false },
    { version: "20.19.0", accepted: false },
  ])("with Node $version: accepted $accepted", async ({ version, accepted }) => {
    await toy.changeManifest((manifest) => {
      manifest["config"] = { runtime: "26.10.0" };
    });
    await useNode(`#!/bin/sh\nif [ "$1" = --version ]; then echo v${version}; else echo ran; fi\n`);
    const { code, stdout, stderr } = await toy.strongroom();
    if (accepted) expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "ran\n", stderr: "" });
    else {
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`Node 26.10.0 or a later 26 is needed, and the node in PATH is v${version}.`);
    }
  });

  test("without any Node says what to install", async () => {
    await useNode("#!/bin/sh\nexit 127\n");
    const { code, stderr } = await toy.strongroom();
    expect(code).toBe(1);
    expect(stderr).toContain("the node in PATH is missing");
  });
});
