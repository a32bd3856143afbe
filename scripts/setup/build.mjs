/** Compiles src/ to dist/ when the sources have changed; dist/ is replaced as a whole or not at all. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command.mjs";
import { Failure } from "./failure.mjs";
import { fingerprint as installFingerprint, touch } from "./install.mjs";
import { runtimeOf } from "./runtime.mjs";

/** @param {string} root */
export function isBuilt(root) {
  const started = new Date();
  const stamp = stampIn(join(root, "dist"));
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint(root)) return false;
  touch(stamp, started);
  return true;
}

/** @param {string} root */
export async function build(root) {
  console.error("strongroom: building");
  const cache = join(root, ".cache");
  for (const name of readdirSync(cache)) {
    if (name.startsWith("build-")) rmSync(join(cache, name), { recursive: true, force: true });
  }
  // Time and content are taken before the compiler reads, so that an edit during the build counts as a change after it.
  const started = new Date();
  const sources = fingerprint(root);
  const fresh = join(cache, `build-${process.pid}`);
  const compiler = [
    join(root, "node_modules", "typescript", "bin", "tsc"),
    "-p",
    "tsconfig.build.json",
    "--outDir",
    fresh,
  ];
  const { code, output } = await run(runtimeOf(root), [...compiler, ...unchecked()], root);
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Failure(`the build failed:\n\n${output.trim()}`);
  }
  writeFileSync(stampIn(fresh), sources);
  touch(stampIn(fresh), started);
  replace(join(root, "dist"), fresh, `${fresh}-old`);
}

/** Lets a half-done refactoring elsewhere not keep one from running what is done. */
function unchecked() {
  return process.env["STRONGROOM_BUILD_UNCHECKED"] === "1" ? ["--noCheck"] : [];
}

/**
 * @param {string} folder
 * @param {string} fresh
 * @param {string} old
 */
function replace(folder, fresh, old) {
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

/** @param {string} folder */
function stampIn(folder) {
  return join(folder, ".built-from");
}

/** @param {string} root */
function fingerprint(root) {
  const hash = createHash("sha256").update([installFingerprint(root), ...unchecked()].join());
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith(".suite.ts"))
    .map((name) => join("src", name));
  for (const name of ["tsconfig.json", "tsconfig.build.json", ...sources.sort()]) {
    const content = readFileSync(join(root, name));
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}
