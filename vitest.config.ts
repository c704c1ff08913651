import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Where tests run the real Zellij and the real Claude Code; no others are tried again. */
const REAL = ["test/{zellij,claude}/**/*.test.ts"];

export default defineConfig({
  define: { OVLD_VERSION: JSON.stringify(version) },
  test: {
    globalSetup: "./scripts/test-setup.mjs",
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    // Tests start real processes on a machine that may have two cores: a generous limit, reached only by a hang.
    testTimeout: 60_000,
    // Most of the time a test waits for programs that start; more than two armies at a time are too many for two cores.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "real",
          include: REAL,
          // The real Zellij loses a key press or an answer now and then. A test that needed a second try is named at
          // the end.
          retry: process.env["CI"] ? 1 : 0,
        },
      },
      { extends: true, test: { name: "ours", include: ["test/**/*.test.ts"], exclude: REAL } },
    ],
    hookTimeout: 60_000,
    // What a test waits for comes at once on a quiet machine, and much later on one that is busy with other work.
    expect: { poll: { timeout: 20_000 } },
  },
});
