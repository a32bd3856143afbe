/** One set-up at a time per checkout: a lock folder that a dead or silent holder loses. */
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const heartbeat = 1_000;
const silence = 10_000;

/**
 * @param {string} root
 * @param {() => Promise<void>} work
 */
export async function withLock(root, work) {
  const folder = join(root, ".cache", "setup.lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  await acquire(folder);
  const beat = setInterval(() => touch(folder), heartbeat);
  try {
    await work();
  } finally {
    clearInterval(beat);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function acquire(folder) {
  for (let told = false; !make(folder); told = true) {
    if (!told) console.error("strongroom: waiting for another set-up of this checkout to finish");
    breakIfAbandoned(folder);
    await sleep(100);
  }
  writeFileSync(join(folder, "owner.json"), JSON.stringify({ pid: process.pid, host: hostname() }));
}

/** @param {string} folder */
function make(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Two waiters must not both break the lock: the second would break the one that the first has just taken.
 * So breaking has a lock of its own, held for one synchronous look and removal.
 * @param {string} folder
 */
function breakIfAbandoned(folder) {
  const guard = `${folder}.breaking`;
  if (!isAbandoned(folder)) return;
  if (!make(guard)) {
    if (age(guard) > silence) rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
  } finally {
    rmdirSync(guard);
  }
}

/** @param {string} folder */
function isAbandoned(folder) {
  if (age(folder) > silence) return true;
  try {
    const { pid, host } = JSON.parse(readFileSync(join(folder, "owner.json"), "utf8"));
    return host === hostname() && !isAlive(pid);
  } catch {
    return false; // the holder is between making the folder and signing it, or already done
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (pid === process.pid) return false; // a restarted container hands out the same numbers again
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @param {string} folder */
function age(folder) {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}

/** @param {string} folder */
function touch(folder) {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch {
    // Removed by hand: nothing to keep alive.
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
