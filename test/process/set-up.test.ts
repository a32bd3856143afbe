/** Set-up does what is missing and nothing else, alone or among others, and survives being cut off. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ToyCheckout } from "../support/toy-checkout.ts";

const installing = "installing dependencies";
const building = "building";

/** Which steps a run announced, in order. */
function steps(stderr: string): string[] {
  return [...stderr.matchAll(new RegExp(`${installing}|${building}`, "g"))].map(([step]) => step);
}

describe("first use", () => {
  test("installs and builds, and the next use does neither", async () => {
    await using toy = await ToyCheckout.create();
    const first = await toy.strongroom(["-version"]);
    expect(steps(first.stderr)).toEqual([installing, building]);
    expect(JSON.parse(first.stdout)).toMatchObject({ greeting: "first", args: ["-version"] });
    expect(await toy.strongroom(["-version"])).toEqual({ ...first, stderr: "" });
  });

  test("brings the compiler and the pinned Node also where the user leaves such packages out", async () => {
    await using toy = await ToyCheckout.create();
    const { code, stdout } = await toy.strongroom([], { NODE_ENV: "production", npm_config_omit: "dev,optional" });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ node: process.version });
  });

  test("by several at once installs and builds once", async () => {
    await using toy = await ToyCheckout.create();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => toy.strongroom()));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(outcomes.flatMap(({ stderr }) => steps(stderr))).toEqual([installing, building]);
  });
});

describe("after a change", () => {
  let toy: ToyCheckout;

  beforeAll(async () => {
    toy = await ToyCheckout.create();
    await toy.strongroom();
  });

  afterAll(() => toy[Symbol.asyncDispose]());

  test.each([
    { of: "a source", file: "src/cli/greeting.ts", text: 'export const greeting = "second";\n', expected: [building] },
    { of: "a test", file: "src/cli/greeting.test.ts", text: "export {};\n", expected: [] },
    { of: "a new source", file: "src/cli/more.ts", text: "export const more = 1;\n", expected: [building] },
    { of: "nothing but a time", file: "src/cli/more.ts", text: "export const more = 1;\n", expected: [] },
    { of: "the compiler's settings", file: "tsconfig.build.json", expected: [building] },
    { of: "the lock file", file: "package-lock.json", expected: [installing, building] },
  ])("of $of does $expected, and the next use nothing", async ({ file, text, expected }) => {
    await toy.write(file, text ?? `${await toy.read(file)}\n`);
    const { stderr, stdout } = await toy.strongroom();
    expect(steps(stderr)).toEqual(expected);
    expect(JSON.parse(stdout).greeting).toBe("second");
    expect((await toy.strongroom()).stderr).toBe("");
  });

  test("a removed source leaves nothing of itself in the build", async () => {
    await toy.write("src/cli/gone.ts", "export const gone = 1;\n");
    await toy.strongroom();
    expect(existsSync(join(toy.folder, "dist/cli/gone.js"))).toBe(true);
    await rm(join(toy.folder, "src/cli/gone.ts"));
    expect(steps((await toy.strongroom()).stderr)).toEqual([building]);
    expect(existsSync(join(toy.folder, "dist/cli/gone.js"))).toBe(false);
  });

  test("a package removed by hand is installed again", async () => {
    await rm(join(toy.folder, "node_modules/typescript"), { recursive: true });
    const { stderr } = await toy.run("node", [join(toy.folder, "scripts/setup.mjs")]);
    expect(steps(stderr)).toEqual([installing]);
  });

  test("a build that fails says why and leaves the last good one", async () => {
    const last = await toy.read("dist/cli/greeting.js");
    await toy.write("src/cli/greeting.ts", "export const greeting: string = 1;\n");
    const { code, stdout, stderr } = await toy.strongroom();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("src/cli/greeting.ts(1,14): error TS2322");
    expect(await toy.read("dist/cli/greeting.js")).toBe(last);
    expect((await toy.strongroom([], { STRONGROOM_BUILD_UNCHECKED: "1" })).code).toBe(0);
  });
});

describe("an install that does not finish", () => {
  const hanging = `#!/usr/bin/env node
import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("node_modules", { recursive: true });
writeFileSync("npm.pid", String(process.pid));
setInterval(() => {}, 1000);
`;

  async function installingToy(): Promise<{ toy: ToyCheckout; npm: number; setUp: number; ended: Promise<unknown[]> }> {
    const toy = await ToyCheckout.create();
    await toy.write("fake/package.json", '{"type":"module"}');
    await toy.fakeCommand("npm", hanging);
    const child = toy.start();
    const ended = once(child, "exit");
    while (!existsSync(join(toy.folder, "npm.pid"))) await sleep(20);
    const { pid } = JSON.parse(await toy.read(".cache/setup.lock/owner.json"));
    return { toy, npm: Number(await toy.read("npm.pid")), setUp: pid, ended };
  }

  function isRunning(pid: number): boolean {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  test.each([
    { signal: "SIGTERM" as const, code: 143 },
    { signal: "SIGINT" as const, code: 130 },
    { signal: "SIGKILL" as const, code: 137 },
  ])("because of $signal takes npm along, and the next use installs anew", async ({ signal, code }) => {
    const { toy, npm, setUp, ended } = await installingToy();
    await using _ = toy;
    process.kill(setUp, signal);
    expect(await ended).toEqual([code, null]);
    while (isRunning(npm)) await sleep(20);
    await rm(join(toy.folder, "fake"), { recursive: true });
    const { code: next, stderr } = await toy.strongroom();
    expect({ next, steps: steps(stderr) }).toEqual({ next: 0, steps: [installing, building] });
  });

  test("because npm fails shows what npm said", async () => {
    await using toy = await ToyCheckout.create();
    await toy.fakeCommand("npm", "#!/bin/sh\necho 'npm error network is down' >&2\nexit 3\n");
    const { code, stdout, stderr } = await toy.strongroom();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("npm error network is down");
    expect(existsSync(join(toy.folder, ".cache/setup.lock"))).toBe(false);
  });

  test("and whose holder fell silent on another machine does not hold up the next one", async () => {
    await using toy = await ToyCheckout.create();
    await toy.write(".cache/setup.lock/owner.json", JSON.stringify({ pid: 1, host: "elsewhere" }));
    const longAgo = new Date(0);
    await utimes(join(toy.folder, ".cache/setup.lock"), longAgo, longAgo);
    expect((await toy.strongroom()).code).toBe(0);
  });
});

describe("a Node that is not the one wanted", () => {
  test("to bootstrap from is refused with its version and the one needed", async () => {
    await using toy = await ToyCheckout.create();
    await toy.changeManifest((manifest) => {
      manifest["engines"] = { node: ">=99.1" };
    });
    const { code, stderr } = await toy.strongroom();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^strongroom: this is Node \d+\.\d+\.\d+; 99\.1 or later is needed to set up/);
  });

  test("to run on is refused with what to do", async () => {
    await using toy = await ToyCheckout.create();
    await toy.changeManifest((manifest) => {
      manifest["config"] = { runtime: "99.0.0" };
    });
    const { code, stderr } = await toy.strongroom();
    expect(code).toBe(1);
    expect(stderr).toContain("Install Node 99.0.0 or a later 99 (from nodejs.org or your package manager)");
  });

  test("is the same version wherever the repository names it", async () => {
    const manifest = JSON.parse(await readFile("package.json", "utf8"));
    expect(new Set(Object.values(manifest.optionalDependencies))).toEqual(new Set([manifest.config.runtime]));
    expect(process.versions.node).toBe(manifest.config.runtime);
  });
});
