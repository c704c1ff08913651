import { expect, it } from "vitest";
import { runInGroup, runProgram } from "../../../src/system/run-program.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

it("a program that is missing, or that has ended, does not keep us alive until its time limit", async () => {
  const before = timers();
  const run = { env: { PATH: process.env["PATH"] }, deadlineMs: 60_000 };
  expect(await runProgram("/nowhere/zellij", [], run)).toMatchObject({ code: null, failure: "missing" });
  expect(await runProgram("echo", ["here"], run)).toMatchObject({ code: 0, stdout: "here\n" });
  expect(timers()).toBeLessThanOrEqual(before);
});

it("a program that does not end in time is killed", async () => {
  const run = await runProgram("sleep", ["60"], { env: { PATH: process.env["PATH"] }, deadlineMs: 50 });
  expect(run).toMatchObject({ code: null, failure: "deadline" });
});

it("a program that was to stop before it began is ended at once", async () => {
  const run = { env: { PATH: process.env["PATH"] }, deadlineMs: 60_000, stop: AbortSignal.abort() };
  const begun = performance.now();
  expect(await runProgram("sleep", ["30"], run)).toMatchObject({ code: null });
  expect(await runInGroup("sleep", ["30"], { ...run, onOutput: () => {} })).toMatchObject({ code: null });
  expect(performance.now() - begun).toBeLessThan(20_000);
});
