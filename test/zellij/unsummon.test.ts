import { existsSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { identifyProcess } from "../../src/system/process.ts";
import { makeZellijWorld } from "../support/zellij.ts";

/** A zombie does not count as running. */
function isRunning(pid: number): boolean {
  return identifyProcess(pid) !== undefined;
}

it("Z3.1 Z3.2 Z11.1 M2.2 unsummon kills and deletes the session, and cleans up the relay folder: inbox, status and pending are gone", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals");
  expect(readdirSync(world.relayDir())).toEqual(expect.arrayContaining(["inbox", "status", "pending"]));
  expect(await world.ovld("unsummon")).toMatchObject({ code: 0, stderr: "" });
  expect(world.calls()).toEqual(
    expect.arrayContaining(["kill-session overlord", "delete-session overlord --force"]),
  );
  expect(await world.sessions()).toBe("");
  expect(existsSync(world.relayDir())).toBe(false);
});

it("no agent and no relay survives, not even one that ignores the hang-up", async () => {
  await using world = makeZellijWorld({ RECORDER_STUBBORN: "1" });
  await world.ovld("summon", "--detached", "--no-rituals");
  const pids = [...(await world.recordings()).values()].flatMap(({ pid, relay }) => [pid, relay]);
  expect(pids.every(isRunning)).toBe(true);
  const { code, stdout } = await world.ovld("unsummon");
  expect(code).toBe(0);
  expect(stdout).toContain("did not end by themselves");
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});

it("other sessions and their processes are untouched", async () => {
  await using world = makeZellijWorld();
  await world.ovld("summon", "--detached", "--no-rituals", "--session", "second");
  const other = [...(await world.recordings()).values()].map(({ pid }) => pid);
  await world.ovld("summon", "--detached", "--no-rituals");
  await world.ovld("unsummon");
  expect(await world.sessions()).toMatch(/^second \[/);
  expect(other.every(isRunning)).toBe(true);
  expect(existsSync(world.relayDir("second"))).toBe(true);
});
