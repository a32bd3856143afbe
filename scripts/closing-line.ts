/** A Vitest reporter that ends a run with `N passed, N failed` alone on a line, after the reasons why tests were skipped. */
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from "vitest/node";

export class ClosingLine implements Reporter {
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    const reasons = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "pending") continue;
        count[state] += 1;
        const reason = state === "skipped" ? this.#reasonFor(test) : undefined;
        if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      count.failed += failuresWithoutTest(module);
    }
    const lines = [...reasons].map(([reason, times]) => `skipped ${times}: ${reason}`);
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.stdout.write([...lines, `${count.passed} passed, ${count.failed} failed${skipped}`, ""].join("\n"));
  }

  /** Undefined where nobody decided to skip the test: a name filter or a failed hook left it out. */
  #reasonFor(test: TestCase): string | undefined {
    const result = test.result();
    if (result.state === "skipped" && result.note !== undefined) return result.note;
    if (this.#isFiltered || test.options.mode === "run") return undefined;
    return `no reason given: ${test.fullName}`;
  }
}

/** A file that cannot be loaded, or a hook that throws, fails without a test of its own to count. */
function failuresWithoutTest(module: TestModule): number {
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return suites.length + (module.errors().length > 0 ? 1 : 0);
}
