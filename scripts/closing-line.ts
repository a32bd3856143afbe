/** A Vitest reporter that ends a run with `N passed, N failed` alone on a line, after the reasons why tests were skipped. */
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    const reasons = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "pending") continue;
        count[result.state] += 1;
        if (result.state !== "skipped") continue;
        const reason = result.note ?? `no reason given: ${test.fullName}`;
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      // A file that cannot be loaded, or a hook that throws, fails without a test of its own to count.
      if (module.errors().length > 0) count.failed += 1;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed += 1;
    }
    const lines = [...reasons].map(([reason, times]) => `skipped ${times}: ${reason}`);
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.stdout.write([...lines, `${count.passed} passed, ${count.failed} failed${skipped}`, ""].join("\n"));
  }
}
