import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { listAncestors } from "../../../src/system/process-ancestors.ts";
import { identifyProcess, isProcessAlive } from "../../../src/system/process-identity.ts";

// Every system except Linux is queried through ps, which Linux has too.
it.each(["linux", "darwin"] as const)("a process is alive until it ends (as on %s)", async (platform) => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const identity = identifyProcess(child.pid ?? 0, platform) ?? "";
  expect(identity).toMatch(new RegExp(`^${child.pid}-[A-Za-z0-9.]+$`));
  expect(isProcessAlive(identity, platform)).toBe(true);
  expect(isProcessAlive(`${identity}-abc123`, platform)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isProcessAlive(identity, platform)).toBe(false);
});

it.each(["linux", "darwin"] as const)(
  "another process with the same pid is not taken for the one that ended (as on %s)",
  (platform) => {
    const ours = identifyProcess(process.pid, platform);
    expect(isProcessAlive(`${process.pid}-1.00000000`, platform)).toBe(false);
    expect(isProcessAlive(`${ours}9`, platform)).toBe(false);
    expect(isProcessAlive(`${ours}`, platform)).toBe(true);
  },
);

it.each(["", "x", "-1", "0-1", "1e9"])("%o is no process", (identity) => {
  expect(isProcessAlive(identity)).toBe(false);
});

it.each(["linux", "darwin"] as const)(
  "the processes above one are found, nearest first (as on %s)",
  async (platform) => {
    const child = spawn("sleep", ["100"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    const [first, second] = listAncestors(child.pid, platform);
    expect(first).toMatchObject({ pid: process.pid, words: expect.arrayContaining([expect.any(String)]) });
    expect(second?.pid).toBe(process.ppid);
    expect(listAncestors(2 ** 22 + 1, platform)).toEqual([]);
  },
);
