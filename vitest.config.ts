import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Tests that run the real Zellij and the real Claude Code. */
const REAL = ["test/{zellij,claude}/**/*.test.ts"];
const UNIT = "test/unit/**/*.test.ts";
const OURS = ["test/{desk,hostile,process,project}/**/*.test.ts"];

export default defineConfig({
  define: { OVLD_VERSION: JSON.stringify(version) },
  test: {
    globalSetup: "./scripts/test-setup.mjs",
    setupFiles: "./test/support/end-with-file.ts",
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    // Only a hang reaches these limits, on a machine that is twelve times as slow as a quiet one, too.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // The real Zellij sometimes loses a key press or an answer, and 3,000 tests with real processes meet every moment of
    // a busy machine. A test that needed a second try is named at the end.
    retry: process.env["CI"] ? 1 : 0,
    // A test mostly waits for programs to start; more than two armies at a time are too many for two cores.
    maxWorkers: 2,
    // Where an army mostly pauses, as between rituals, the tests of a file run side by side.
    maxConcurrency: 3,
    projects: [
      { extends: true, test: { name: "real", include: REAL } },
      { extends: true, test: { name: "ours", include: OURS } },
      // They leave nothing behind in their process, and loading the sources once saves half of their time.
      { extends: true, test: { name: "unit", include: [UNIT], isolate: false } },
    ],
  },
});
