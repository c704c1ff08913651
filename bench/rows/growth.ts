/** How cost grows with the mail that waits: none against nearly as much as an inbox takes. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openMail } from "../../src/mail/mail.ts";
import { writeLetter } from "../letter.ts";
import { printToolCall, readAnswer, startLoaded, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const FULL = 900;
const SAMPLES = 80;
const WATCHED_MS = 5_000;

const { from: _, ...letter } = writeLetter("overlord", "strategist", "1");
const send = printToolCall("send_message", letter);

export async function measureGrowth(place: Workplace): Promise<Row[]> {
  return [...(await measureSends(place)), ...(await measureWaiting(place))];
}

async function measureSends(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  const relay = await startLoaded(place, relayDir, "overlord");
  const times = { empty: new Array<number>(), full: new Array<number>() };
  for (let round = 0; round < place.samples(10); round += 1) {
    while (mail.countUnread("strategist") > 0) mail.claim("strategist").settle();
    for (let count = 0; count < SAMPLES; count += 1) times.empty.push(await timeSend(relay));
    for (let count = SAMPLES; count < FULL; count += 1) mail.deliver({ ...letter, from: "storm" });
    for (let count = 0; count < SAMPLES; count += 1) times.full.push(await timeSend(relay));
  }
  await relay.talk.end();
  return [
    makeRow({
      name: `send_message with ${FULL} unread against none`,
      unit: "ms",
      ours: median(times.full),
      floor: median(times.empty),
      bar: { timesFloor: 1.2 },
    }),
  ];
}

async function timeSend({ talk }: RelayProcess): Promise<number> {
  const began = performance.now();
  talk.say(send);
  readAnswer(await talk.hear());
  return performance.now() - began;
}

async function measureWaiting(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  for (let count = 0; count < 1_000; count += 1) mail.deliver({ ...letter, from: "storm" });
  const relay = await startLoaded(place, relayDir, "strategist");
  // What is new is read once.
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

/** What the main thread of a process has used; nothing where the system does not tell. */
function processorMs({ child }: RelayProcess): number {
  try {
    return Number(readFileSync(`/proc/${child.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return NaN;
  }
}
