import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readTokenFile, tokenFile, writeTokenFile } from "./token-file.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "strongroom-token-"));
});

afterEach(() => rmSync(home, { recursive: true }));

it("is written for its owner alone, whole, over what was there", async () => {
  writeFileSync(join(home, ".strongroom-token"), "old", { mode: 0o644 });
  await writeTokenFile({ HOME: home }, "s.new");
  const file = join(home, ".strongroom-token");
  expect(readFileSync(file, "utf8")).toBe("s.new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual([".strongroom-token"]);
});

it("goes where the environment says", async () => {
  const environment = { HOME: home, BAO_TOKEN_PATH: join(home, "elsewhere") };
  await writeTokenFile(environment, "s.x");
  expect(tokenFile(environment)).toBe(join(home, "elsewhere"));
  expect(await readTokenFile(environment)).toBe("s.x");
  expect(await readTokenFile({ HOME: home })).toBe("");
});

it("is read before another tool's, which is never written", async () => {
  writeFileSync(join(home, ".vault-token"), "s.other\n");
  expect(await readTokenFile({ HOME: home })).toBe("s.other");
  await writeTokenFile({ HOME: home }, "s.own");
  expect(await readTokenFile({ HOME: home })).toBe("s.own");
  expect(readFileSync(join(home, ".vault-token"), "utf8")).toBe("s.other\n");
});

it("need not be there", async () => {
  expect(await readTokenFile({ HOME: join(home, "nobody") })).toBe("");
});

it("leaves nothing behind when it cannot be written, and says so without the token", async () => {
  mkdirSync(join(home, "folder"));
  const failure = await writeTokenFile({ HOME: home, STRONGROOM_TOKEN_PATH: join(home, "folder") }, "s.secret").catch(
    (e) => e,
  );
  expect(failure.message).toContain("cannot be kept");
  expect(failure.message).not.toContain("s.secret");
  expect(readdirSync(home)).toEqual(["folder"]);
});
