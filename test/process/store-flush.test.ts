import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

/** Commits ten times, saying before and after each when it is. */
const script = `
  import { writeSync } from "node:fs";
  import { LmdbStore } from ${JSON.stringify(pathToFileURL("src/core/storage/lmdb.ts"))};
  const store = await LmdbStore.open(process.argv[1]);
  for (let round = 0; round < 10; round++) {
    const puts = new Map([["key", Buffer.from("value " + round)]]);
    writeSync(1, "COMMIT\\n");
    await store.commit({ expect: new Map(), puts, deletes: new Set() });
    writeSync(1, "ACKNOWLEDGED\\n");
  }
  await store.close();
`;

const calls = "trace=openat,write,pwrite64,writev,pwritev,fdatasync,fsync";

it("LMDB flushes a commit to disk, and then the page that makes it count, before it is acknowledged", async ({
  skip,
}) => {
  const canTrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
  skip(!canTrace, "the system calls of a process can be seen only with strace");
  const folder = await mkdtemp(join(tmpdir(), "strongroom-flush-"));
  const trace = join(folder, "trace");
  const command = [process.execPath, "--input-type=module", "-e", script, join(folder, "data")];
  const { status, stderr } = spawnSync("strace", ["-f", "-y", "-o", trace, "-e", calls, ...command]);
  expect(stderr.toString()).toBe("");
  expect(status).toBe(0);
  const lines = (await readFile(trace, "utf8")).split("\n");
  await rm(folder, { recursive: true });

  // LMDB writes its root page through a descriptor of its own, on which every write is flushed.
  const flushing = lines.find((line) => line.includes("O_DSYNC") && line.includes("data.mdb"));
  const descriptor = /= (\d+)</.exec(flushing ?? "")?.[1];
  expect(descriptor).toBeDefined();
  const underWay = new Map<string, string>();
  const events = lines.flatMap((line) => {
    const thread = line.slice(0, line.indexOf(" "));
    const event = line.includes(" resumed>") ? underWay.get(thread) : eventOf(line, descriptor!);
    underWay.delete(thread);
    if (event === undefined) return [];
    // Another thread came in between: it counts when it is over.
    if (line.endsWith("<unfinished ...>")) underWay.set(thread, event);
    return line.endsWith("<unfinished ...>") ? [] : [event];
  });
  const commits = events.join(", ").split("commit, ").slice(1);
  expect(commits).toHaveLength(10);
  for (const commit of commits) {
    expect(commit).toMatch(/^(data written, )+data flushed, root flushed, acknowledged/);
  }
});

function eventOf(line: string, rootDescriptor: string): string | undefined {
  if (line.includes('"COMMIT')) return "commit";
  if (line.includes('"ACKNOWLEDGED')) return "acknowledged";
  if (!line.includes("data.mdb>")) return undefined;
  if (line.includes("fdatasync(")) return "data flushed";
  if (line.includes(`pwrite64(${rootDescriptor}<`)) return "root flushed";
  return /writev?\(|pwrite/.test(line) ? "data written" : undefined;
}
