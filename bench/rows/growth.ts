/** How cost grows with waiting mail: none compared with a nearly full inbox. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { writeLetter } from "../letter.ts";
import { samplePairs, type Pairs } from "../pairs.ts";
import { beginTurn, printToolCall, readAnswer, startLoaded, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const FULL = 900;
const SAMPLES = 80;
const ROUNDS = 10;
const WATCHED_MS = 5_000;

export async function measureGrowth(place: Workplace): Promise<Row[]> {
  return [...(await measureSends(place)), ...(await measureWaiting(place))];
}

/** One sender and two recipients in turn, so that the state of the disk affects both alike. */
async function measureSends(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  const relay = await startLoaded(place, relayDir, "overlord");
  const readAll = (role: Role): void => {
    while (mail.countUnread(role) > 0) mail.claim(role).settle();
  };
  const all: Pairs = { ours: [], floor: [] };
  for (let round = 0; round < place.samples(ROUNDS); round += 1) {
    readAll("glacier");
    readAll("storm");
    for (let count = 0; count < FULL; count += 1) mail.deliver(writeLetter("inferno", "glacier", `${count}`));
    const { ours, floor } = await samplePairs(
      SAMPLES,
      () => timeSend(relay, "glacier"),
      () => timeSend(relay, "storm"),
    );
    all.ours.push(...ours);
    all.floor.push(...floor);
  }
  await relay.talk.end();
  return [
    makeRow({
      name: `send_message to one with ${FULL} unread against one with none`,
      unit: "ms",
      ours: median(all.ours),
      floor: median(all.floor),
      bar: { timesFloor: 1.2 },
    }),
  ];
}

async function timeSend({ talk }: RelayProcess, to: Role): Promise<number> {
  const { from: _, ...letter } = writeLetter("overlord", to, "1");
  const call = printToolCall("send_message", letter);
  const began = performance.now();
  talk.say(call);
  readAnswer(await talk.hear());
  return performance.now() - began;
}

async function measureWaiting(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  for (let count = 0; count < 1_000; count += 1) mail.deliver(writeLetter("storm", "strategist", `${count}`));
  const relay = await startLoaded(place, relayDir, "strategist");
  await beginTurn(relay, "strategist");
  // New files are read once.
  await sleep(2_000);
  const before = processorMs(relay);
  await sleep(WATCHED_MS);
  const share = ((processorMs(relay) - before) / WATCHED_MS) * 100;
  await relay.talk.end();
  return [
    makeRow({
      name: "a relay that waits with 1,000 held messages",
      unit: "% of a core",
      ours: share,
      bar: { atMost: 1 },
    }),
  ];
}

/** The processor time of a process's main thread; zero if the system does not say. */
function processorMs({ child }: RelayProcess): number {
  try {
    return Number(readFileSync(`/proc/${child.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return NaN;
  }
}
