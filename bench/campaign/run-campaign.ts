/** Runs one campaign with six real Claude Codes, as `ovld summon` opens them, and cleans up afterwards. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { claudeFolder } from "../../src/agent/claude/own-files.ts";
import { makeClaudeArmy, type ClaudeArmy } from "../../test/support/claude-army.ts";
import type { Script } from "../../test/support/model.ts";
import { attendSeats } from "../../test/support/seats.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { createActor } from "./actor.ts";
import { COMMAND, stageCrossings, type Crossings } from "./crossings.ts";
import { computeFigures, type Figures, type StoredMessage } from "./figures.ts";
import { PROJECT_FILES, projectFile } from "./incidents.ts";
import { measureFloor } from "./measure-floor.ts";
import { seatPerson } from "./person.ts";
import { makePlan, type Plan } from "./plan.ts";
import { openRecord } from "./record.ts";
import { stageStalls, type Stall } from "./stalls.ts";
import { timeHooks } from "./time-hooks.ts";
import { watchArmy } from "./watch-army.ts";

export interface CampaignOptions {
  messages: number;
  seed: number;
  /** How often to measure the least that waking can take. */
  floorSamples?: number;
  tell: (progress: string) => void;
  /** Called with the army before it is summoned, so that a caller can end it early. */
  onArmy?: (army: ClaudeArmy) => void;
}

export interface Campaign extends Figures {
  /** Everything was done, and all roles are idle with nothing unread. */
  finished: boolean;
  /** Tried by everybody when all of that was done. */
  crossings: Crossings;
  /** Of agents that then stalled on purpose; none if it did not finish. */
  stalls: Stall[];
}

/** After this long without anything new, nothing more will come. */
const STALLED_AFTER_MS = 90_000;
const LOOK_EVERY_MS = 100;
const TELL_EVERY_MS = 5_000;
const LINES_IN_A_FILE = 100;
const ALLOWED = ["Bash(sleep:*)", "Write", "Edit", "Read"];

export async function runCampaign(options: CampaignOptions): Promise<Campaign> {
  const { messages, seed, floorSamples = 0, tell, onArmy } = options;
  const plan = makePlan(messages, seed);
  const record = openRecord();
  let play = understand;
  await using army = await makeClaudeArmy({
    trusted: true,
    allow: ALLOWED,
    script: (request, body) => play(request, body),
  });
  onArmy?.(army);
  const { world } = army;
  writeProject(world.project);
  mkdirSync(join(world.sandbox.home, ".config/ovld"), { recursive: true });
  writeFileSync(join(world.sandbox.home, ".config/ovld/config.toml"), COMMAND);
  const seats = attendSeats(world, "overlord", world.relayDir());
  const person = seatPerson(seats, tell);
  const actor = createActor({
    plan,
    record,
    project: world.project,
    sendPerson: (errand) => person.send(errand),
  });
  const [crossings, stalls] = [stageCrossings(seats), stageStalls(seats)];
  play = actor.script;
  const { code, stderr } = await world.ovld("summon", "--detached");
  if (code !== 0) throw new Error(`ovld summon ended with ${code}: ${stderr}`);
  using watch = watchArmy(seats.mail, world.env, actor.isInTurn);
  await waitUntil("all six are idle", () => watch.areAllIdle(), { timeout: 60_000 });
  const floor = await measureFloor(seats, record, floorSamples);
  await waitUntil("all six are idle again", () => watch.areAllIdle(), { timeout: 60_000 });
  // Starting up is not part of the campaign.
  record.requests.length = 0;
  record.turns = 0;
  const began = Date.now();
  void person.send(plan.wish);
  const stored = (): StoredMessage[] =>
    seats
      .journal("stored")
      .filter(({ from }) => from !== "ovld")
      .map(({ at, to, body, priority }) => ({ at, to, body, priority }));
  const isDone = (): boolean =>
    actor.stepsDone() === countSteps(plan) && !person.hasErrands() && watch.areAllIdle();
  const finished = await follow(isDone, actor.stepsDone, () => {
    tell(`${stored().length} of ${plan.messages} messages, ${Math.round((Date.now() - began) / 1000)} s`);
  });
  const seconds = (Date.now() - began) / 1000;
  const hooks = timeHooks(claudeFolder(world.env), began);
  const braked = seats.journal("held").filter(({ why }) => why === "brake").length;
  const reminders = [
    ...seats.journal("reminded").map(({ role }) => `${role} was reminded`),
    ...seats
      .journal("stored")
      .filter(({ from }) => from === "ovld")
      .map(({ to, subject }) => `${to} was told: ${subject}`),
  ];
  const figures = computeFigures({
    stored: stored(),
    braked,
    reminders,
    record,
    watch,
    seconds,
    floor,
    hooks,
  });
  play = (request, body) => {
    const role = actor.roleOf(request);
    return crossings.play(role, request) ?? stalls.play(role, request) ?? actor.script(request, body);
  };
  if (!finished) return { finished, ...figures, crossings: { tried: 0, refused: 0 }, stalls: [] };
  return { finished, ...figures, crossings: await crossings.run(), stalls: await stalls.run() };
}

/** Used until there is an army that the actor can play. */
const understand: Script = () => "Understood.";

/** False if progress stopped before it was done. */
async function follow(isDone: () => boolean, progress: () => number, tell: () => void): Promise<boolean> {
  let [steps, movedAt, toldAt] = [progress(), Date.now(), Date.now()];
  while (!isDone()) {
    await pause(LOOK_EVERY_MS);
    const now = Date.now();
    if (progress() !== steps) [steps, movedAt] = [progress(), now];
    if (now - movedAt > STALLED_AFTER_MS) return false;
    if (now - toldAt < TELL_EVERY_MS) continue;
    toldAt = now;
    tell();
  }
  return true;
}

function countSteps({ parts }: Plan): number {
  return parts.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** Files of a length that is common in a project, for the roles to read. */
function writeProject(project: string): void {
  for (let number = 0; number < PROJECT_FILES; number += 1) {
    const path = join(project, projectFile(number));
    mkdirSync(dirname(path), { recursive: true });
    const line = (index: number): string => `export const value${number}of${index} = "something to read";\n`;
    writeFileSync(path, Array.from({ length: LINES_IN_A_FILE }, (_, index) => line(index)).join(""));
  }
}
