import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import {
  findProcesses,
  hasWords,
  identifyProcess,
  inspectProcess,
  isProcessAlive,
  listAncestors,
  rememberStarts,
} from "../../../src/system/process.ts";
import { pretendToBe } from "../../support/pretend-to-be.ts";
import { makeSandbox } from "../../support/sandbox.ts";
import { startStandIn } from "../../support/stand-in.ts";

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

// Every system except Linux is queried through ps, which Linux has too.
it.each(["linux", "darwin"] as const)("a process is alive until it ends (as on %s)", async (platform) => {
  pretendToBe(platform);
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const identity = identifyProcess(child.pid ?? 0) ?? "";
  expect(identity).toMatch(new RegExp(`^${child.pid}-[A-Za-z0-9.]+$`));
  expect(isProcessAlive(identity)).toBe(true);
  expect(isProcessAlive(`${identity}-abc123`)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isProcessAlive(identity)).toBe(false);
});

it.each(["linux", "darwin"] as const)(
  "another process with the same pid is not taken for the one that ended (as on %s)",
  (platform) => {
    pretendToBe(platform);
    const ours = identifyProcess(process.pid);
    expect(isProcessAlive(`${process.pid}-1.00000000`)).toBe(false);
    expect(isProcessAlive(`${ours}9`)).toBe(false);
    expect(isProcessAlive(`${ours}`)).toBe(true);
  },
);

it.each(["", "x", "-1", "0-1", "1e9"])("%o is no process", (identity) => {
  expect(isProcessAlive(identity)).toBe(false);
});

it.each(["linux", "darwin"] as const)(
  "the processes above one are found, nearest first (as on %s)",
  async (platform) => {
    pretendToBe(platform);
    const child = spawn("sleep", ["100"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    const [first, second] = listAncestors(child.pid);
    expect(first).toMatchObject({ pid: process.pid, words: expect.arrayContaining([expect.any(String)]) });
    expect(second?.pid).toBe(process.ppid);
    expect(listAncestors(2 ** 22 + 1)).toEqual([]);
  },
);

it("a process's arguments and environment are found", async () => {
  await using sandbox = makeSandbox();
  const identity = startStandIn(sandbox, ["two words", "relay"], {
    OVLD_ROLE: "storm",
    EMPTY: "",
    EQUAL: "a=b",
  });
  const facts = inspectProcess(identity);
  expect(hasWords(facts?.words ?? [], ["two words", "relay"])).toBe(true);
  expect(hasWords(facts?.words ?? [], ["relay", "two words"])).toBe(false);
  expect(facts?.env).toMatchObject({ OVLD_ROLE: "storm", EMPTY: "", EQUAL: "a=b" });
});

it("with ps its arguments are found as well, even those with spaces", () => {
  pretendToBe("darwin");
  const facts = inspectProcess(identifyProcess(process.pid) ?? "");
  expect(facts?.words[0]).toMatch(/node/);
  expect(
    hasWords(["claude", "--mcp-config", "/my", "army/x.json"], ["--mcp-config", "/my army/x.json"]),
  ).toBe(true);
});

it.each(["linux", "darwin"] as const)(
  "a person's own processes are found by their arguments (as on %s)",
  async (platform) => {
    pretendToBe(platform);
    await using sandbox = makeSandbox();
    const words = ["x".repeat(300), "relay"];
    const pids = [startStandIn(sandbox, words), startStandIn(sandbox, words)].map((each) =>
      Number.parseInt(each, 10),
    );
    expect(findProcesses((each) => hasWords(each, words))).toEqual(pids);
  },
);

it("nothing is found for a process that has ended, or that started at another time", () => {
  expect(inspectProcess(`${process.pid}-1.00000000`)).toBeUndefined();
  expect(inspectProcess("4194304-1.00000000")).toBeUndefined();
  expect(inspectProcess("no process")).toBeUndefined();
});
