/**
 * Brings a checkout to where it can run, doing only what is missing: `node scripts/setup.mjs` installs,
 * `node scripts/setup.mjs build` installs and builds. Plain JavaScript, because it must run on the oldest Node we bootstrap from.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build, isBuilt } from "./setup/build.mjs";
import { Failure } from "./setup/failure.mjs";
import { install, isInstalled } from "./setup/install.mjs";
import { withLock } from "./setup/lock.mjs";
import { requireBootstrapNode } from "./setup/runtime.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wantsBuild = process.argv[2] === "build";

function isReady() {
  return isInstalled(root) && (!wantsBuild || isBuilt(root));
}

async function bringUp() {
  if (!isInstalled(root)) await install(root);
  if (wantsBuild && !isBuilt(root)) await build(root);
}

try {
  requireBootstrapNode(root);
  if (!isReady()) await withLock(root, bringUp);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`strongroom: ${error.message}`);
  process.exitCode = error.exitCode;
}
