/** Runs one command of the set-up, so that it ends when the set-up ends, and keeps its output for when it fails. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Failure } from "./failure.mjs";

const patience = 5_000;
const passedOn = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

// A set-up that is killed outright cannot stop its child, and an orphan would go on writing to node_modules
// beside the next set-up. The closing of the channel between them is the one thing that a killed parent still sends.
const endWithParent = `--import=data:text/javascript,process.on('disconnect',()=>process.exit(1)).channel?.unref()`;

/**
 * @param {string} file
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run(file, args, cwd) {
  const env = { ...process.env, NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${endWithParent}`.trim() };
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let output = "";
  let interruptedBy = 0;
  const collect = (/** @type {Buffer} */ chunk) => {
    output += chunk;
  };
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    interruptedBy = constants.signals[signal];
    child.kill(signal);
    setTimeout(() => child.kill("SIGKILL"), patience).unref(); // npm can outlive a polite signal while it retries downloads
  };
  for (const signal of passedOn) process.on(signal, forward);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status) => resolve(status ?? 1));
    });
    if (interruptedBy !== 0)
      throw new Failure("set-up interrupted; the next start takes it up again", 128 + interruptedBy);
    return { code, output };
  } finally {
    for (const signal of passedOn) process.off(signal, forward);
  }
}
