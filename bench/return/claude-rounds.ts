/**
 * Power cuts to an army of six real Claude Codes, whose model is a stand-in that follows orders in their mail: to run a
 * tool, to answer slowly, to open a permission dialog or a question. The cut comes at a random moment.
 */
import { setTimeout as pause } from "node:timers/promises";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { makeClaudeArmy, type ClaudeArmy } from "../../test/support/claude-army.ts";
import { packagedRitual } from "../../test/support/packaged-ritual.ts";
import { QUESTION, type ModelRequest, type Turn } from "../../test/support/model.ts";
import { cutPower } from "../../test/support/power-cut.ts";
import type { ZellijWorld } from "../../test/support/zellij.ts";
import { seededRandom } from "../../test/torture/seeded-random.ts";
import {
  busyAtCut,
  idsNow,
  journalOf,
  lookClosely,
  readTwice,
  timeSummon,
  toldSince,
  wokenAnew,
  type Opening,
} from "./look-back.ts";
import { measureFloor } from "./measure-floor.ts";
import { addUp, type ReturnRound, type ReturnTally } from "./tally.ts";

const ORDERS = ["idle", "tool", "stream", "dialog", "question"] as const;
const MOST_WAIT_MS = 4_000;
const SETTLED_WITHIN_MS = 120_000;

export async function runClaudeRounds(
  rounds: number,
  seed: number,
  tell: (words: string) => void,
  { withFloor } = { withFloor: false },
): Promise<ReturnTally> {
  const random = seededRandom(seed);
  const stage = { obeys: true, bodies: new Map<string, string>() };
  await using army = await makeClaudeArmy({
    trusted: true,
    allow: ["Bash(python3:*)"],
    script: (request, body) => answer(stage, request, body),
  });
  // Claude Code takes a kill in its first seconds for a renderer that failed, and would change its screen.
  Object.assign(army.world.env, { CLAUDE_CODE_NO_FLICKER: "1" });
  const first = await timeSummon(army.world);
  const done: ReturnRound[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    done.push(await runRound(army, stage, random, `round-${round}`, tell));
    tell(`${round} of ${rounds}: ${JSON.stringify(done.at(-1))}`);
  }
  if (!withFloor) return addUp(done, [first]);
  const ids = idsNow(army.world.relayDir());
  await cutPower(army.world);
  const floor = await measureFloor(army.world, ids, FLOOR_SAMPLES);
  tell(`floor: ${JSON.stringify(floor)}`);
  return { ...addUp(done, [first, ...(await timeFirstSummons(army.world))]), floor };
}

/** One more than this are measured, so that their median is not that of the machine's first moments. */
const MORE_FIRST_SUMMONS = 2;
const FLOOR_SAMPLES = 3;

async function timeFirstSummons(world: ZellijWorld): Promise<Opening[]> {
  const times: Opening[] = [];
  for (let count = 0; count < MORE_FIRST_SUMMONS; count += 1) {
    await world.ovld("unsummon", "--yes", "--forget");
    times.push(await timeSummon(world));
  }
  return times;
}

interface Stage {
  /** Whether the model follows orders, or only says that it has understood. */
  obeys: boolean;
  /** What each Claude last sent its model. */
  bodies: Map<string, string>;
}

async function runRound(
  { world }: ClaudeArmy,
  stage: Stage,
  random: (limit: number) => number,
  name: string,
  tell: (words: string) => void,
): Promise<ReturnRound> {
  const relayDir = world.relayDir();
  const began = new Date().toISOString();
  const before = idsNow(relayDir);
  stage.obeys = true;
  const orders = new Map<Role, string>();
  for (const role of ROLES) {
    const order = ORDERS[random(ORDERS.length)] ?? "idle";
    if (order === "idle") continue;
    orders.set(role, `ORDER ${order} ${name}-${role}`);
    await world.ovld("send", role, orders.get(role) ?? "");
  }
  await pause(random(MOST_WAIT_MS));
  const cutAt = Date.now();
  await cutPower(world);
  const busy = busyAtCut(relayDir, cutAt);
  const atCut = new Map(ROLES.map((role) => [role, lookClosely(relayDir, role, began)]));
  stage.obeys = false;
  const since = new Date(cutAt).toISOString();
  const opening = await timeSummon(world, "--resume");
  await settle(relayDir);
  const after = idsNow(relayDir);
  const history = (role: Role): string => stage.bodies.get(after.get(role) ?? "") ?? "";
  const entries = journalOf(relayDir);
  const told = toldSince(entries, since);
  const times = (role: Role): number => told.get(role) ?? 0;
  const anew = wokenAnew(entries, since);
  const cutOff = [...busy].filter((role) => times(role) > 0 || !anew.has(role));
  const wrongly = cutOff.filter((role) => times(role) !== 1);
  for (const role of wrongly)
    tell(`${role} at the cut: ${atCut.get(role)}\nafterwards: ${lookClosely(relayDir, role, began)}`);
  return {
    lost: [...orders].filter(([role, order]) => !history(role).includes(order)).map(([, order]) => order),
    doubled: readTwice(entries),
    ritualTwice: ROLES.filter((role) => countIn(history(role), packagedRitual(role)) > 1),
    elsewhere: ROLES.filter((role) => after.get(role) !== before.get(role)),
    cutOff: cutOff.length,
    told: cutOff.filter((role) => times(role) === 1).length,
    toldWrongly: [
      ...wrongly.map((role) => `${role} told ${times(role)} times`),
      ...ROLES.filter((role) => !orders.has(role) && times(role) > 0).map((role) => `${role} was idle`),
    ],
    opening,
  };
}

/** Every role idle, nothing unread. */
async function settle(relayDir: string): Promise<void> {
  const mail = openMail(relayDir);
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (let quiet = 0; quiet < 5;) {
    const isQuiet = ROLES.every(
      (role) => mail.countUnread(role) === 0 && mail.agentReport(role)?.state === "idle",
    );
    quiet = isQuiet ? quiet + 1 : 0;
    if (performance.now() > until) return;
    await pause(200);
  }
}

function countIn(body: string, text: string): number {
  return body.split(JSON.stringify(text.trim()).slice(1, -1)).length - 1;
}

function answer(stage: Stage, { session, tools, last }: ModelRequest, body: string): Turn | Promise<Turn> {
  // Not the agent itself, but what Claude Code asks besides.
  if (!tools.includes("mcp__ovld-relay__check_inbox")) return "fine";
  stage.bodies.set(session, body);
  if (last.includes("from ovld]")) return "understood";
  const [, order] = stage.obeys ? (/ORDER (\w+)/.exec(last) ?? []) : [];
  if (order === undefined)
    return last.includes("[MESSAGE from") && !last.includes("# ")
      ? { tool: "mcp__ovld-relay__check_inbox", input: {} }
      : "fine";
  return follow(stage, order);
}

function follow(stage: Stage, order: string): Turn | Promise<Turn> {
  if (order === "tool")
    return {
      tool: "Bash",
      input: { command: "python3 -c 'import time; time.sleep(60)'", description: "waits" },
    };
  if (order === "dialog") return { tool: "Bash", input: { command: "touch here", description: "asks" } };
  if (order === "question") return { tool: "AskUserQuestion", input: { questions: [QUESTION] } };
  return order === "stream" ? untilCalm(stage) : "fine";
}

async function untilCalm(stage: Stage): Promise<string> {
  while (stage.obeys) await pause(50);
  return "late";
}
