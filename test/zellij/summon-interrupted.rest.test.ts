import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import type { CommandRun } from "../support/run-command.ts";
import { passBy, STARTING_CALLS, type StoppedCall } from "../support/stop-call.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

type Step = [name: string, stopAt: (world: ZellijWorld) => StoppedCall];

const STEPS: Step[] = [
  ...(["before", "after"] as const).flatMap((when) =>
    STARTING_CALLS.map((call): Step => [`${when} ${call}`, (world) => world.stopAt(call, when)]),
  ),
  ["when its folder appears", (world) => passBy(() => existsSync(world.relayDir()))],
];

/** Returns when summon has ended and Zellij has done what it was asked to. */
async function interruptSummon(
  world: ZellijWorld,
  signal: NodeJS.Signals,
  [name, stopAt]: Step,
): Promise<CommandRun> {
  const step = stopAt(world);
  const summoning = world.start(["summon", "--detached", "--no-rituals"]);
  await waitUntil(`summon is where it is to be stopped: ${name}`, step.isReached, { interval: 1 });
  summoning.kill(signal);
  if (signal === "SIGKILL") {
    await summoning.ended;
    step.release();
    await waitUntil("what Zellij had been asked for is done", step.isOver);
  }
  step.release();
  return summoning.ended;
}

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s at any step leaves the whole army or nothing, and a later summon works",
  async (signal, signalCode) => {
    await using world = makeZellijWorld();
    for (const step of STEPS) {
      const { code } = await interruptSummon(world, signal, step);
      expect([0, signalCode]).toContain(code);
      const [name] = step;
      const there = { name, panes: (await world.panes()).length, folder: existsSync(world.relayDir()) };
      const [whole, nothing] = [
        { name, panes: 6, folder: true },
        { name, panes: 0, folder: false },
      ];
      // The signal may come when everything is done.
      expect(code === 0 ? [whole] : [whole, nothing]).toContainEqual(there);
      await world.ovld("unsummon", "--yes");
    }
    expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  },
);

it("after a summon was killed outright at any step, unsummon cleans up and a later summon works", async () => {
  await using world = makeZellijWorld();
  for (const step of STEPS) {
    await interruptSummon(world, "SIGKILL", step);
    expect([step[0], (await world.ovld("unsummon", "--yes")).code]).toEqual([step[0], 0]);
    expect(await world.sessions()).toBe("");
    expect(existsSync(world.relayDir())).toBe(false);
  }
  expect((await world.ovld("summon", "--detached", "--no-rituals")).code).toBe(0);
  expect(await world.panes()).toHaveLength(6);
});
