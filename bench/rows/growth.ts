/** How cost grows with the mail that waits: none against nearly as much as an inbox takes. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openMail } from "../../src/mail/mail.ts";
import { writeLetter } from "../letter.ts";
import { printToolCall, readAnswer, startLoaded, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median, percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const FULL = 900;
const SAMPLES = 80;
const WATCHED_MS = 5_000;
const SENDERS = ["overlord", "inferno", "glacier", "shadow", "storm"] as const;

const { from: _, ...letter } = writeLetter("overlord", "strategist", "1");
const send = printToolCall("send_message", letter);

export async function measureGrowth(place: Workplace): Promise<Row[]> {
  return [...(await measureSends(place)), ...(await measureWaiting(place)), ...(await measureBurst(place))];
}

async function measureSends(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  const relay = await startLoaded(place, relayDir, "overlord");
  const times = { empty: new Array<number>(), full: new Array<number>() };
  for (let round = 0; round < place.samples(10); round += 1) {
    mail.claim("strategist").settle();
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

async function measureBurst(place: Workplace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [size, bytes] of [
    ["1 kB", 1_000],
    ["60 kB", 60_000],
  ] as const) {
    const quiet = await timeReading(place, bytes, 0);
    const busy = await timeReading(place, bytes, 1_000);
    rows.push(
      makeRow({
        name: `ping while 1,000 messages of ${size} arrive, p99`,
        unit: "ms",
        ours: percentile(busy.pings, 0.99),
        floor: percentile(quiet.pings, 0.99),
        bar: { atMost: 50 },
      }),
      makeRow({
        name: `check_inbox while messages of ${size} arrive`,
        unit: "ms",
        ours: busy.reading,
        floor: quiet.reading,
        bar: { timesFloor: 3 },
      }),
    );
  }
  return rows;
}

const READ = 20;

/** Pings of a relay while so many messages come in, and then, while more do, the reading of twenty. */
async function timeReading(
  place: Workplace,
  bytes: number,
  messages: number,
): Promise<{ pings: number[]; reading: number }> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  const reader = await startLoaded(place, relayDir, "strategist");
  const writers: RelayProcess[] = [];
  for (const role of SENDERS) writers.push(await startLoaded(place, relayDir, role));
  const call = printToolCall("send_message", { ...letter, body: "x".repeat(bytes) });
  const writing = { left: writers.length };
  for (const { talk } of writers) {
    for (let count = 0; count < messages / writers.length; count += 1) talk.say(call);
    void hearAll(talk, messages / writers.length).finally(() => (writing.left -= 1));
  }
  const pings: number[] = [];
  while (messages === 0 ? pings.length < 200 : writing.left > 0) {
    const began = performance.now();
    await reader.ask("ping");
    pings.push(performance.now() - began);
    await sleep(5);
  }
  // The second settles what the first has handed out.
  await reader.ask("tools/call", { name: "check_inbox" });
  await reader.ask("tools/call", { name: "check_inbox" });
  for (let count = 0; count < READ; count += 1)
    mail.deliver({ ...letter, from: "storm", body: "x".repeat(bytes) });
  for (const { talk } of messages === 0 ? [] : writers)
    for (let count = 0; count < 20; count += 1) talk.say(call);
  const began = performance.now();
  await reader.ask("tools/call", { name: "check_inbox" });
  const reading = performance.now() - began;
  for (const { talk } of messages === 0 ? [] : writers) await hearAll(talk, 20);
  await Promise.all([reader, ...writers].map(({ talk }) => talk.end()));
  return { pings, reading };
}

async function hearAll(talk: RelayProcess["talk"], count: number): Promise<void> {
  for (let heard = 0; heard < count; heard += 1) await talk.hear();
}
