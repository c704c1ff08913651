/**
 * Power cuts to a practice army in the middle of a campaign, at a random moment. Each wish must be fulfilled in the end,
 * with every task and every report sent once.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { cutPower } from "../../test/support/power-cut.ts";
import { makeZellijWorld, type ZellijWorld } from "../../test/support/zellij.ts";
import { seededRandom } from "../../test/torture/seeded-random.ts";
import { busyAtCut, idsNow, journalOf, readTwice, timeSummon, toldSince } from "./look-back.ts";
import { addUp, type ReturnRound, type ReturnTally } from "./tally.ts";

/** A wish, an order, four tasks, four reports, one report. */
const MESSAGES_OF_A_WISH = 11;
const MOST_WAIT_MS = 6_000;
const FULFILLED_WITHIN_MS = 120_000;

export async function runPracticeRounds(
  rounds: number,
  seed: number,
  tell: (words: string) => void,
): Promise<ReturnTally> {
  const random = seededRandom(seed);
  await using world = makeZellijWorld();
  const script = join(world.sandbox.root, "script.json");
  writeFileSync(script, JSON.stringify({ workMs: 1_500 }));
  Object.assign(world.env, { OVLD_PRACTICE_SCRIPT: script });
  const first = await timeSummon(world, "--agent", "practice");
  const done: ReturnRound[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    done.push(await runRound(world, random, `wish number ${round}`));
    tell(`${round} of ${rounds}: ${JSON.stringify(done.at(-1))}`);
  }
  await world.ovld("unsummon", "--yes");
  return addUp(done, [first]);
}

async function runRound(
  world: ZellijWorld,
  random: (limit: number) => number,
  wish: string,
): Promise<ReturnRound> {
  const relayDir = world.relayDir();
  const before = idsNow(relayDir);
  const began = new Date().toISOString();
  await world.ovld("send", "overlord", wish);
  await pause(random(MOST_WAIT_MS));
  const cutAt = Date.now();
  await cutPower(world);
  const busy = busyAtCut(relayDir, cutAt);
  const opening = await timeSummon(world, "--resume");
  await untilFulfilled(relayDir, began);
  const after = idsNow(relayDir);
  const entries = journalOf(relayDir).filter(({ at }) => at >= began);
  const names = entries.flatMap((entry) =>
    entry.event === "stored" && entry.from !== "ovld" ? [`${entry.from} → ${entry.to}`] : [],
  );
  const told = toldSince(entries, new Date(cutAt).toISOString());
  return {
    lost:
      names.length < MESSAGES_OF_A_WISH ? [`${wish}: ${names.length} of ${MESSAGES_OF_A_WISH} messages`] : [],
    doubled: [
      ...readTwice(entries),
      ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `sent again: ${name}`),
    ],
    ritualTwice: ROLES.filter((role) =>
      entries.some((entry) => entry.event === "ritual" && entry.role === role && entry.outcome === "given"),
    ),
    elsewhere: ROLES.filter((role) => after.get(role) !== before.get(role)),
    cutOff: busy.size,
    told: [...busy].filter((role) => told.get(role) === 1).length,
    toldWrongly: [...busy]
      .filter((role) => told.get(role) !== 1)
      .map((role) => `${role} told ${told.get(role)} times`),
    opening,
  };
}

async function untilFulfilled(relayDir: string, since: string): Promise<void> {
  const mail = openMail(relayDir);
  const until = performance.now() + FULFILLED_WITHIN_MS;
  const isFulfilled = (): boolean => {
    const { status, updated } = mail.peekStatus("overlord");
    return (
      status === "done" && (updated ?? "") > since && ROLES.every((role) => mail.countUnread(role) === 0)
    );
  };
  while (!isFulfilled() && performance.now() < until) await pause(100);
}
