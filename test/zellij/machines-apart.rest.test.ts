import { expect, it } from "vitest";
import { done, joinCampHub, makeHubWorld, startCampHub, SUMMON_CAMP } from "../support/hub-worlds.ts";
import { programPath } from "../support/program-path.ts";
import type { ZellijWorld } from "../support/zellij.ts";

const LONG = { timeout: 120_000 };
const TEST_MS = 240_000;

async function ask(world: ZellijWorld, ...args: string[]): Promise<any> {
  return JSON.parse(await done(world, ...args, "--session", "camp", "--json"));
}

it(
  "an army that ends with mail in its outbox passes it on once when it is brought back",
  async () => {
    await using a = makeHubWorld();
    await using b = makeHubWorld();
    const link = await joinCampHub(a, await startCampHub(a), b, ["b", "inferno"]);
    const unread = async (): Promise<number> => {
      const { armies } = JSON.parse(await done(a, "hub", "status", "--json"));
      return armies[0].unread.overlord;
    };
    const outbox = async () => (await ask(b, "status")).machines.outbox;
    await done(b, ...SUMMON_CAMP);
    link.set("cut");
    await done(b, "send", "overlord", "Held up", "--session", "camp");
    expect(await outbox()).toMatchObject([{ from: "human", count: 1 }]);
    const ended = await done(b, "unsummon", "--session", "camp", "--yes");
    expect(ended).toContain("1 message for other machines could not be delivered yet");
    link.set("open");
    expect(await unread()).toBe(0);
    await done(b, ...SUMMON_CAMP, "--resume");
    await expect.poll(unread, LONG).toBe(1);
    await expect.poll(outbox, LONG).toEqual([]);
    expect(await unread()).toBe(1);
    // If nothing is to be kept, the person is told what that deletes.
    link.set("cut");
    await done(b, "send", "overlord", "Given up", "--session", "camp");
    const forgotten = await done(b, "unsummon", "--session", "camp", "--yes", "--forget");
    expect(forgotten).toContain("This deletes 1 message for other machines");
  },
  TEST_MS,
);

const HOURS_AHEAD_MS = 5 * 3_600_000;

it(
  "two machines whose clocks are five hours apart send, read, log and show each other as if they were not",
  async () => {
    await using a = makeHubWorld();
    await using b = makeHubWorld();
    Object.assign(b.env, {
      NODE_OPTIONS: `--import ${programPath("shift-clock.mjs")}`,
      CLOCK_AHEAD_MS: String(HOURS_AHEAD_MS),
    });
    const began = Date.now();
    const port = await startCampHub(a);
    // So that each machine opens one pane only.
    await done(a, "hub", "invite", "--session", "camp", "strategist", "glacier", "shadow", "storm");
    await joinCampHub(a, port, b, ["b", "inferno"]);
    await done(a, ...SUMMON_CAMP);
    await done(b, ...SUMMON_CAMP);
    await expect.poll(() => machinesOf(a), LONG).toMatchObject([{}, { machine: "b", isSilent: false }]);
    await expect.poll(() => machinesOf(b), LONG).toMatchObject([{ machine: "b" }, { isSilent: false }]);

    for (const [index, [world, to]] of (
      [
        [a, "inferno"],
        [b, "overlord"],
        [a, "inferno"],
      ] as const
    ).entries()) {
      expect(await done(world, "send", to, `To ${to}`, "--session", "camp")).toContain(`to ${to} is stored`);
      for (const each of [a, b]) {
        await expect.poll(async () => (await ordersOf(each)).length, LONG).toBe(index + 1);
      }
    }
    for (const [world, ahead] of [
      [a, 0],
      [b, HOURS_AHEAD_MS],
    ] as const) {
      const stored = await ordersOf(world);
      expect(stored.map(({ to }) => to)).toEqual(["inferno", "overlord", "inferno"]);
      for (const { id } of stored) {
        const story = async () => (await logOf(world)).filter((entry) => entry.id === id);
        await expect
          .poll(async () => (await story()).map(({ event }) => event), LONG)
          .toEqual(["stored", "read"]);
      }
      // Every time is this machine's own, also of what happened on the other one.
      const latest = Date.now() + ahead;
      const times = (await logOf(world)).map(({ at }) => Date.parse(at));
      expect(Math.min(...times)).toBeGreaterThanOrEqual(began + ahead);
      expect(Math.max(...times)).toBeLessThanOrEqual(latest);
      const [, other] = await machinesOf(world);
      expect(Date.parse(other.heard)).toBeGreaterThan(latest - 60_000);
      expect(other.isSilent).toBe(false);
    }
  },
  TEST_MS,
);

async function machinesOf(world: ZellijWorld): Promise<any> {
  return (await ask(world, "status")).machines.machines;
}

/** What the person sent: the overlord may also write to a general by itself. */
async function ordersOf(world: ZellijWorld): Promise<LogLine[]> {
  return (await logOf(world)).filter(({ event, from }) => event === "stored" && from === "human");
}

interface LogLine {
  at: string;
  event: string;
  id?: string;
  from?: string;
  to?: string;
}

async function logOf(world: ZellijWorld): Promise<LogLine[]> {
  const text = await done(world, "log", "--session", "camp", "--json");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
