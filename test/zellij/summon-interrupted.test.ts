import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { OVLD } from "../support/ovld.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

/** A whole summon takes about half a second here, so these times fall into all its parts. */
const MOMENTS_MS = [30, 60, 90, 120, 160, 200, 250, 300, 400, 500];

async function interruptSummon(
  world: ZellijWorld,
  signal: NodeJS.Signals,
  after: number,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [OVLD, "summon", "--detached", "--no-rituals"], {
    env: world.env,
    cwd: world.project,
  });
  const exit = once(child, "exit");
  await Promise.race([pause(after), exit]);
  child.kill(signal);
  await exit;
  return child;
}

/** The exit code is null if it was killed before it could listen for signals. */
async function expectWholeOrNothing(
  world: ZellijWorld,
  code: number | null,
  signalCode: number,
): Promise<void> {
  expect([0, null, signalCode]).toContain(code);
  const there = { panes: (await world.panes()).length, folder: existsSync(world.relayDir()) };
  const [whole, nothing] = [
    { panes: 6, folder: true },
    { panes: 0, folder: false },
  ];
  // The signal may come when everything is done.
  expect(code === 0 ? [whole] : [whole, nothing]).toContainEqual(there);
}

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s at any moment leaves the whole army or nothing, and a later summon works",
  async (signal, code) => {
    await using world = makeZellijWorld();
    for (const moment of MOMENTS_MS) {
      const child = await interruptSummon(world, signal, moment);
      await expectWholeOrNothing(world, child.exitCode, code);
      await world.ovld("unsummon", "--force");
    }
    expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  },
);

it("after a summon was killed outright at any moment, unsummon cleans up and a later summon works", async () => {
  await using world = makeZellijWorld();
  for (const moment of MOMENTS_MS) {
    await interruptSummon(world, "SIGKILL", moment);
    // What Zellij had started by then continues by itself; nothing may call it in the meantime.
    await pause(1500);
    expect((await world.ovld("unsummon", "--force")).code).toBe(0);
    expect(await world.sessions()).toBe("");
    expect(existsSync(world.relayDir())).toBe(false);
  }
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
});
