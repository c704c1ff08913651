import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JournalEntry } from "../../src/mail/journal/journal-entry.ts";
import { openMail } from "../../src/mail/mail.ts";
import { crashArmy } from "../support/crash-army.ts";
import { OVLD } from "../support/ovld.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeZellijWorld, type ZellijWorld } from "../support/zellij.ts";

const GENERALS = ["inferno", "glacier", "shadow", "storm"];
const SESSION = "practice-1";

/** A world whose practice agents take their time, so that they can be cut off in the middle. */
function makeCampaignWorld(): ZellijWorld {
  const world = makeZellijWorld();
  const script = join(world.sandbox.root, "script.json");
  writeFileSync(script, JSON.stringify({ workMs: 400, patienceMs: 60_000 }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  return world;
}

/** Begins a campaign and ends every process of it, its own command included, when the journal says so. */
async function cutOffWhen(world: ZellijWorld, isTime: (entries: JournalEntry[]) => boolean): Promise<void> {
  const words = [OVLD, "practice", "A castle", "--session", SESSION];
  const command = spawn(process.execPath, words, { env: world.env, cwd: world.project, stdio: "ignore" });
  const ended = once(command, "exit");
  world.sandbox.defer(() => void command.kill("SIGKILL"));
  const journal = (): JournalEntry[] => [...openMail(world.relayDir(SESSION)).journal().next()];
  await waitUntil("it is time", () => isTime(journal()), { timeout: 120_000 });
  command.kill("SIGKILL");
  await ended;
  await crashArmy(world, SESSION);
  expect(
    journal().some((each) => each.event === "stored" && each.to === "overlord" && each.from !== "human"),
  ).toBe(false);
  // As a reboot does.
  rmSync(world.env["ZELLIJ_SOCKET_DIR"] ?? "", { recursive: true });
  mkdirSync(world.env["ZELLIJ_SOCKET_DIR"] ?? "");
}

it.each<[string, (entries: JournalEntry[]) => boolean]>([
  [
    "when the order is on its way",
    (all) => all.some((each) => each.event === "stored" && each.to === "strategist"),
  ],
  [
    "while a general works",
    (all) =>
      all.some((each) => each.event === "status" && each.role === "inferno" && each.status === "working"),
  ],
  [
    "when a report is on its way",
    (all) => all.some((each) => each.event === "stored" && each.from === "storm"),
  ],
])(
  "a campaign that is cut off %s goes on with --resume, and the wish is fulfilled with each task done once",
  async (_step, isTime) => {
    await using world = makeCampaignWorld();
    await cutOffWhen(world, isTime);
    const { code, stdout, stderr } = await world.ovld("practice", "--resume", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { session, wish, fulfilled, messages } = JSON.parse(stdout);
    expect({ session, wish, fulfilled }).toEqual({ session: SESSION, wish: "A castle", fulfilled: true });
    const between = (from: string, to: string): object[] =>
      messages.filter((each: { from: string; to: string }) => each.from === from && each.to === to);
    expect(between("overlord", "strategist")).toHaveLength(1);
    for (const general of GENERALS) {
      expect({
        general,
        tasks: between("strategist", general).length,
        reports: between(general, "strategist").length,
      }).toEqual({ general, tasks: 1, reports: 1 });
    }
    expect(between("strategist", "overlord")).toHaveLength(1);
    expect((await world.ovld("armies")).stdout).toBe("There are no armies.\n");
  },
);

it("practice --resume with a new wish is a mistake, exit 2; without a campaign there is nothing to resume, exit 3", async () => {
  await using world = makeCampaignWorld();
  expect((await world.ovld("practice", "A moat", "--resume")).code).toBe(2);
  expect(await world.ovld("practice", "--resume")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("can be brought back"),
  });
});
