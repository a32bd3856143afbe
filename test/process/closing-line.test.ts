/** A run of the tests ends with plain counts, whatever happened in it. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

describe("the closing line", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "strongroom-closing-"));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const reporter = JSON.stringify(join(root, "scripts/closing-line.ts"));
    const config = `import { ClosingLine } from ${reporter};\nexport default { test: { reporters: [new ClosingLine()] } };\n`;
    await writeFile(join(folder, "vitest.config.ts"), config);
  });

  afterAll(() => rm(folder, { recursive: true }));

  function closing(body: string, ...flags: string[]): Promise<string[]> {
    return new Promise((resolve, reject) => {
      const imports = 'import { beforeAll, describe, expect, test } from "vitest";\n';
      writeFile(join(folder, "case.test.ts"), imports + body).then(() => {
        const vitest = join(root, "node_modules/vitest/vitest.mjs");
        const env = { ...process.env, NO_COLOR: "1" };
        execFile(process.execPath, [vitest, "run", ...flags], { cwd: folder, env }, (error, stdout) => {
          if (error !== null && typeof error.code !== "number") reject(error);
          else resolve(stdout.trimEnd().split("\n"));
        });
      }, reject);
    });
  }

  const pass = 'test("fine", () => {});\n';
  const because = 'test("a", ({ skip }) => skip("no strace"));\ntest("b", ({ skip }) => skip("no strace"));\n';
  const bare = 'describe("late", () => { test.skip("one", () => {}); });\n';

  test.each([
    { of: "a good run", body: pass, expected: ["1 passed, 0 failed"] },
    { of: "a failed test", body: `${pass}test("bad", () => expect(1).toBe(2));`, expected: ["1 passed, 1 failed"] },
    { of: "skipped tests", body: pass + because, expected: ["skipped 2: no strace", "1 passed, 0 failed, 2 skipped"] },
    {
      of: "a test skipped without a reason",
      body: pass + bare,
      expected: ["skipped 1: no reason given: late > one", "1 passed, 0 failed, 1 skipped"],
    },
    {
      of: "a failed hook",
      body: `${pass}describe("x", () => { beforeAll(() => { throw new Error("no"); }); test("y", () => {}); });`,
      expected: ["1 passed, 1 failed, 1 skipped"],
    },
    { of: "a file that cannot be loaded", body: 'import "./nothing.ts";\n', expected: ["0 passed, 1 failed"] },
    {
      of: "a lost rejection",
      body: `${pass}void Promise.reject(new Error("lost"));`,
      expected: ["1 passed, 1 failed"],
    },
  ])("of $of is $expected", async ({ body, expected }) => {
    expect((await closing(body)).slice(-expected.length)).toEqual(expected);
  });

  test("gives no reasons for what a name filter leaves out", async () => {
    expect(await closing(pass + bare, "-t", "fine")).toEqual(["1 passed, 0 failed, 1 skipped"]);
  });
});
