/** The floor of durable writes: LMDB alone, opened as the store opens it, with so many commits under way. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import type { Measured } from "./load.ts";

export interface Commits {
  readonly inFlight: number;
  readonly milliseconds: number;
  /** Records in each commit. */
  readonly records: number;
}

const folder = mkdtempSync(join(tmpdir(), "strongroom-bench-bare-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const database = open<Buffer, string>(folder, {
  noSubdir: false,
  encoding: "binary",
  overlappingSync: false,
  mapSize: 16 * 2 ** 30,
});
const value = Buffer.alloc(250, 7);
let unique = 0;

async function run({ inFlight, milliseconds, records }: Commits): Promise<Measured> {
  const latencies: number[] = [];
  const start = performance.now();
  const lane = async () => {
    for (let began = performance.now(); began - start < milliseconds; began = performance.now()) {
      await database.transaction(() => {
        for (let record = 0; record < records; record++) database.putSync(`secrets/bench/${unique++}`, value);
      });
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const elapsed = performance.now() - start;
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    perSecond: (sorted.length / elapsed) * 1000,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    busy: 0,
  };
}

process.on("message", (commits: Commits) => {
  run(commits).then(
    (measured) => process.send!({ measured }),
    (error: Error) => process.send!({ error: error.message }),
  );
});
process.on("disconnect", () => process.exit());
process.send!({ port: 0 });
