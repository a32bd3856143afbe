import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { developmentServer } from "../support/server-process.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "strongroom-backup-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The script of the operations manual, as people copy it. */
function documentedScript(): string {
  const manual = readFileSync(join(root, "docs/operations.md"), "utf8");
  const [, script] = manual.match(/node_modules\/\.bin\/node -e '\n([^']+)'/) ?? [];
  if (script === undefined) throw new Error("the operations manual has no script for backups");
  return script;
}

test("a backup that is made while a server writes opens again with all that was there when it began", async () => {
  const data = join(folder, "data");
  const copy = join(folder, "copy");
  const server = await developmentServer({ flags: [`-dev-storage-path=${data}`] });
  const caller = server.caller("root");
  const write = (name: string) => caller.demand("POST", `secret/data/${name}`, { data: { name } });
  for (let i = 0; i < 20; i++) await write(`before-${i}`);
  let isDone = false;
  let written = 0;
  const writing = (async () => {
    while (!isDone) await write(`during-${written++}`);
  })();
  mkdirSync(copy, { mode: 0o700 });
  await promisify(execFile)(process.execPath, ["-e", documentedScript(), data, copy], { cwd: root });
  isDone = true;
  await writing;
  expect(written).toBeGreaterThan(0);
  caller.close();
  await server.stop();

  cpSync(`${data}.key`, `${copy}.key`);
  await using restored = await developmentServer({ flags: [`-dev-storage-path=${copy}`] });
  const again = restored.caller("root");
  const { json } = await again.demand("LIST", "secret/metadata");
  expect(json.data.keys.filter((name: string) => name.startsWith("before-"))).toHaveLength(20);
  const { json: secret } = await again.demand("GET", "secret/data/before-7");
  expect(secret.data.data).toEqual({ name: "before-7" });
  await again.demand("POST", "secret/data/after", { data: { a: "b" } });
  again.close();
});
