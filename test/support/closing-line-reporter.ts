/**
 * Names every skipped test with its reason and every test that needed a second try, and ends the run with one
 * machine-readable line.
 */
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      // A file that breaks before its first test has no tests to count, but must not count as passed.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const result = test.result();
        const tries = 1 + (test.diagnostic()?.retryCount ?? 0);
        if (tries > 1) console.log(`tried ${tries} times: ${test.fullName}`);
        if (result.state === "passed") counts.passed += 1;
        else if (result.state === "failed") counts.failed += 1;
        else {
          counts.skipped += 1;
          const reason = "note" in result && result.note ? result.note : "no reason given";
          console.log(`skipped: ${test.fullName} (${reason})`);
        }
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
