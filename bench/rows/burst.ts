/** How well a relay still works while mail pours in: five others write to its role as fast as they can. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { otherRoles } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { writeLetter } from "../letter.ts";
import { beginTurn, printToolCall, readAnswer, startLoaded, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median, percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const READER = "strategist";
const MESSAGES = 1_000;
const PINGS = 200;
const READINGS = 20;
/** Each reading must find at least this many, or the fixed part of its cost would distort the comparison. */
const READ_AT_LEAST = 8;

export async function measureBurst(place: Workplace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [size, bytes] of [
    ["1 kB", 1_000],
    ["60 kB", 60_000],
  ] as const) {
    const quiet = await timeQuietly(place, bytes);
    const busy = await timeInBurst(place, bytes);
    rows.push(
      makeRow({
        name: `ping while messages of ${size} pour in, p99`,
        unit: "ms",
        ours: percentile(busy.pings, 0.99),
        floor: percentile(quiet.pings, 0.99),
        bar: { atMost: 50 },
      }),
      makeRow({
        name: `check_inbox while messages of ${size} pour in, per message`,
        unit: "ms",
        ours: median(busy.readings),
        floor: median(quiet.readings),
        bar: { timesFloor: 3 },
      }),
    );
  }
  return rows;
}

interface Reader {
  relay: RelayProcess;
  writers: RelayProcess[];
  mail: ReturnType<typeof openMail>;
  letter: ReturnType<typeof writeLetter>;
  call: string;
}

async function startReader(place: Workplace, bytes: number): Promise<Reader> {
  const relayDir = place.makeFolder();
  const mail = openMail(relayDir);
  mail.init();
  const relay = await startLoaded(place, relayDir, READER);
  await beginTurn(relay, READER);
  const writers: RelayProcess[] = [];
  for (const role of otherRoles(READER)) writers.push(await startLoaded(place, relayDir, role));
  const letter = { ...writeLetter("storm", READER, ""), body: "x".repeat(bytes) };
  const { from: _, ...args } = letter;
  return { relay, writers, mail, letter, call: printToolCall("send_message", args) };
}

async function timeQuietly(place: Workplace, bytes: number): Promise<Times> {
  const reader = await startReader(place, bytes);
  const pings: number[] = [];
  while (pings.length < place.samples(PINGS)) pings.push(await timePing(reader.relay));
  const readings: number[] = [];
  while (readings.length < place.samples(READINGS)) {
    for (let count = 0; count < READ_AT_LEAST; count += 1) reader.mail.deliver(reader.letter);
    readings.push(await timeReading(reader));
  }
  await endAll(reader);
  return { pings, readings };
}

async function timeInBurst(place: Workplace, bytes: number): Promise<Times> {
  const reader = await startReader(place, bytes);
  const pings: number[] = [];
  const burst = { isOver: false };
  const all = Promise.all(
    reader.writers.map((writer) => sendAtOnce(writer, reader.call, MESSAGES / reader.writers.length)),
  ).finally(() => (burst.isOver = true));
  while (!burst.isOver) pings.push(await timePing(reader.relay));
  await all;
  // Reads the rest of the burst.
  while (countWaiting(reader) > 0) await timeReading(reader);

  const readings: number[] = [];
  const stream = { isOver: false };
  const streams = reader.writers.map((writer) => sendOneByOne(writer, reader.call, stream));
  while (readings.length < place.samples(READINGS)) {
    while (countWaiting(reader) < READ_AT_LEAST) await sleep(1);
    readings.push(await timeReading(reader));
  }
  stream.isOver = true;
  await Promise.all(streams);
  await endAll(reader);
  return { pings, readings };
}

interface Times {
  pings: number[];
  /** Each with one message. */
  readings: number[];
}

async function timePing(relay: RelayProcess): Promise<number> {
  await sleep(5);
  const began = performance.now();
  await relay.ask("ping");
  return performance.now() - began;
}

const mailRead = z.object({ content: z.tuple([z.object({ text: z.string() })], z.unknown()) });

/** The cost per message of a reading that finds many. */
async function timeReading({ relay }: Reader): Promise<number> {
  const began = performance.now();
  const answer = await relay.ask("tools/call", { name: "check_inbox" });
  const took = performance.now() - began;
  const messages: unknown[] = JSON.parse(mailRead.parse(answer).content[0].text);
  return took / messages.length;
}

async function sendAtOnce({ talk }: RelayProcess, call: string, count: number): Promise<void> {
  for (let said = 0; said < count; said += 1) talk.say(call);
  for (let heard = 0; heard < count; heard += 1) readAnswer(await talk.hear());
}

async function sendOneByOne({ talk }: RelayProcess, call: string, until: { isOver: boolean }): Promise<void> {
  while (!until.isOver) {
    talk.say(call);
    readAnswer(await talk.hear());
  }
}

async function endAll({ relay, writers }: Reader): Promise<void> {
  await Promise.all([relay, ...writers].map(({ talk }) => talk.end()));
}

function countWaiting({ mail }: Reader): number {
  return mail.unread(READER, { handedOut: false }).length;
}
