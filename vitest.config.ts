import { defineConfig } from "vitest/config";
import { ClosingLine } from "./scripts/closing-line.ts";

/**
 * Real databases, processes and elections share two cores with everything else: where nobody is watching, a test that a busy
 * machine disturbed gets another try, and the report says that it needed one. At a desk it fails at once.
 */
const retry = process.env["CI"] ? 2 : 0;

/** Four projects: what runs in a process, what every path must hold, what needs real processes, and stock clients. */
export default defineConfig({
  test: {
    reporters: ["default", new ClosingLine()],
    projects: [
      {
        test: { name: "unit", include: ["src/**/*.test.ts", "test/property/**/*.test.ts"], testTimeout: 30_000, retry },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts", "test/conformance/**/*.test.ts"],
          testTimeout: 60_000,
          retry,
        },
      },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts", "test/fault/**/*.test.ts", "test/cli/**/*.test.ts"],
          testTimeout: 120_000,
          retry,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "interop",
          include: ["test/interop/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
