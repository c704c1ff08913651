import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Tests that run the real Zellij and the real Claude Code; only these are retried. */
const REAL = ["test/{zellij,claude}/**/*.test.ts"];

export default defineConfig({
  define: { OVLD_VERSION: JSON.stringify(version) },
  test: {
    globalSetup: "./scripts/test-setup.mjs",
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    // Generous, because tests start real processes on a machine that may have two cores; only a hang reaches it.
    testTimeout: 60_000,
    // A test mostly waits for programs to start; more than two armies at a time are too many for two cores.
    maxWorkers: 2,
    // Where an army mostly pauses, as between rituals, the tests of a file run side by side.
    maxConcurrency: 3,
    projects: [
      {
        extends: true,
        test: {
          name: "real",
          include: REAL,
          // The real Zellij sometimes loses a key press or an answer. A test that needed a second try is named at the
          // end.
          retry: process.env["CI"] ? 1 : 0,
        },
      },
      { extends: true, test: { name: "ours", include: ["test/**/*.test.ts"], exclude: REAL } },
    ],
    hookTimeout: 60_000,
    // Generous, because a busy machine is much slower than a quiet one.
    expect: { poll: { timeout: 20_000 } },
  },
});
