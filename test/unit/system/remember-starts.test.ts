import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { rememberStarts } from "../../../src/system/remember-starts.ts";

/** A table of processes that counts lookups, and a clock. */
function world(start = "Mon.1") {
  const state = { start, asked: 0, time: 0 };
  const starts = rememberStarts(
    () => {
      state.asked += 1;
      return state.start;
    },
    () => state.time,
  );
  return { state, starts };
}

it("a process is not looked up again within a second", () => {
  const { state, starts } = world();
  expect(starts.recall(process.ppid)).toBe(undefined);
  starts.ask(process.ppid);
  for (state.time = 0; state.time < 1_000; state.time += 10)
    expect(starts.recall(process.ppid)).toBe("Mon.1");
  expect(state.asked).toBe(1);
});

it("after a second it has to be looked up again, because its pid may have been reused", () => {
  const { state, starts } = world();
  starts.ask(process.ppid);
  state.start = "Tue.2";
  state.time = 1_000;
  expect(starts.recall(process.ppid)).toBe(undefined);
  expect(starts.ask(process.ppid)).toBe("Tue.2");
  expect(starts.recall(process.ppid)).toBe("Tue.2");
});

it("a process that has ended is not remembered, however recently it was looked up", async () => {
  const { starts } = world();
  const child = spawn("sleep", ["60"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  starts.ask(child.pid ?? 0);
  expect(starts.recall(child.pid ?? 0)).toBe("Mon.1");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(starts.recall(child.pid ?? 0)).toBe(undefined);
});

it("our own start time is looked up once", () => {
  const { state, starts } = world();
  starts.ask(process.pid);
  state.time = 1e9;
  expect(starts.recall(process.pid)).toBe("Mon.1");
});
