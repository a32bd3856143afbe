import { defineConfig } from "vitest/config";
import { ClosingLine } from "./scripts/closing-line.ts";

/** Four projects: what runs in a process, what every path must hold, what needs real processes, and stock clients. */
export default defineConfig({
  test: {
    reporters: ["default", new ClosingLine()],
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts", "test/property/**/*.test.ts"], testTimeout: 30_000 } },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts", "test/conformance/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts", "test/fault/**/*.test.ts", "test/cli/**/*.test.ts"],
          testTimeout: 120_000,
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
