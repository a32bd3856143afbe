import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { developmentServer } from "../support/server-process.ts";
import { noTracing, readTrace, type SystemCall, tracedInto } from "../support/system-calls.ts";

const missing = noTracing();

const flushes = ["fdatasync", "fsync", "msync"];
const writes = ["write", "writev", "pwrite64", "pwritev", "pwritev2", "sendmsg", "sendto"];
const reads = ["read", "readv", "recvfrom", "recvmsg"];

describe("an answer to a write leaves when the change is on disk", () => {
  const requests = Array.from({ length: 20 }, (_, number) => `/v1/secret/data/flushed-${number}`);
  let folder: string;
  let calls: SystemCall[];

  beforeAll(async () => {
    if (missing !== undefined) return;
    folder = await mkdtemp(join(tmpdir(), "strongroom-flush-"));
    const trace = join(folder, "trace");
    const server = await developmentServer({
      flags: [`-dev-storage-path=${join(folder, "data")}`],
      under: tracedInto(trace, ["openat", ...flushes, ...writes, ...reads]),
    });
    const caller = server.caller("root");
    for (const path of requests) await caller.demand("POST", path, { data: { a: 1 } });
    caller.close();
    await server.stop();
    calls = await readTrace(trace, server.pid);
  });

  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test.for(requests)("POST %s", (path, { skip }) => {
    skip(missing !== undefined, missing);
    const asked = calls.find(({ name, text }) => reads.includes(name) && text.includes(`POST ${path} `));
    const [socket] = asked!.handle.split("<");
    const answered = calls.find(
      ({ name, handle, text, began }) =>
        began > asked!.ended && writes.includes(name) && handle.startsWith(`${socket}<`) && text.includes("HTTP/1.1 2"),
    );
    const between = calls.filter(({ began, ended }) => began > asked!.ended && ended < answered!.began);
    expect(durableCommits(between), shown(between)).toBeGreaterThan(0);
  });

  /** LMDB writes pages, flushes them, and then writes where they are to a file that is open for synchronous writing. */
  function durableCommits(between: readonly SystemCall[]): number {
    const onData = between.filter(({ handle }) => handle.endsWith("/data.mdb>"));
    let commits = 0;
    let stage: "nothing" | "written" | "flushed" = "nothing";
    for (const { name, handle, result } of onData) {
      if (flushes.includes(name) && result === "0" && stage === "written") stage = "flushed";
      else if (writes.includes(name) && !isSynchronous(handle)) stage = "written";
      else if (writes.includes(name) && stage === "flushed") {
        commits++;
        stage = "nothing";
      }
    }
    return commits;
  }

  function isSynchronous(handle: string): boolean {
    const opened = calls.findLast(({ name, result }) => name === "openat" && result === handle);
    return /O_D?SYNC/.test(opened?.text ?? "");
  }

  const shown = (between: readonly SystemCall[]) => between.map(({ name, handle }) => `${name} ${handle}`).join("\n");
});
