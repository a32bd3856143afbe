import { expect, test } from "vitest";
import { workerCount } from "./worker-count.ts";

const folder = { type: "lmdb", path: "/data" } as const;
const memory = { type: "inmem" } as const;

test.each([
  { storage: folder, workers: undefined, cores: 2, count: 2 },
  { storage: folder, workers: undefined, cores: 1, count: 1 },
  { storage: folder, workers: undefined, cores: 64, count: 16 },
  { storage: folder, workers: 1, cores: 8, count: 1 },
  { storage: folder, workers: 40, cores: 64, count: 40 },
  { storage: memory, workers: undefined, cores: 8, count: 1 },
  { storage: memory, workers: 4, cores: 8, count: 1 },
])("$storage.type, workers $workers, $cores cores: $count", ({ storage, workers, cores, count }) => {
  expect(workerCount({ storage, workers }, cores)).toBe(count);
});
