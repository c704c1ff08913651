/**
 * What agents experience: relays with their tools listed, their keys and their bell, six of which write to one
 * recipient at once. A living reader works all the time.
 *
 * The floor is the same work without a store and without MCP, as for a single `send_message`: six bare processes that
 * are asked through pipes, write and sync a file, and answer.
 */
import { ROLES } from "../../src/army/roles.ts";
import { openMail } from "../../src/mail/mail.ts";
import { writeLetter } from "../letter.ts";
import { talkWith, type LineTalk } from "../line-talk.ts";
import { beginTurn, printToolCall, readAnswer, startLoaded, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median, percentile } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";
import { writerArgs } from "../writer.ts";
import { makeJobs, READER } from "./six-writers.ts";

/** The five other roles and one of them twice: the recipient does not write to itself. */
const WRITERS = [...ROLES.filter((role) => role !== READER), "storm"] as const;
const ROUNDS = 3;
/** Together below the limit of an inbox. */
const LETTERS_EACH = 160;

export async function measureMcpWriters(place: Workplace): Promise<Row[]> {
  const rates = { floor: new Array<number>(), alone: new Array<number>(), read: new Array<number>() };
  const sends: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.floor.push(await writeAsked(place));
    rates.alone.push((await writeOverMcp(place, { hasReader: false })).rate);
    const read = await writeOverMcp(place, { hasReader: true });
    rates.read.push(read.rate);
    sends.push(...read.sends);
  }
  const floor = median(rates.floor);
  const rows = (name: string, ours: number): Row[] => [
    makeRow({ name, unit: "messages/s", ours, floor, bar: { atLeast: 1_500 } }),
    makeRow({
      name: `${name}, share of the floor`,
      unit: "messages/s",
      ours,
      floor,
      bar: { shareOfFloor: 0.35 },
    }),
  ];
  return [
    ...rows("six writers over MCP, no reader", median(rates.alone)),
    ...rows("six writers over MCP, a living reader", median(rates.read)),
    makeRow({
      name: "six writers over MCP, a living reader, one send p99",
      unit: "ms",
      ours: percentile(sends, 0.99),
    }),
  ];
}

interface Writing {
  rate: number;
  sends: number[];
}

async function writeAsked(place: Workplace): Promise<number> {
  const jobs = makeJobs("asked", place.makeFolder(), place.samples(LETTERS_EACH));
  const writers = jobs.map((job) => talkWith(place.startNode(writerArgs(job))));
  for (const writer of writers) await writer.hear();
  const { rate } = await askAll(place, writers, () => {});
  await Promise.all(writers.map((writer) => writer.end()));
  return rate;
}

async function writeOverMcp(place: Workplace, { hasReader }: { hasReader: boolean }): Promise<Writing> {
  const relayDir = place.makeFolder();
  openMail(relayDir).init();
  const reader = hasReader ? await startLoaded(place, relayDir, READER) : undefined;
  if (reader) await beginTurn(reader, READER);
  const writers: RelayProcess[] = [];
  for (const role of WRITERS) writers.push(await startLoaded(place, relayDir, role));
  const writing = await askAll(
    place,
    writers.map(({ talk }) => talk),
    readAnswer,
  );
  await Promise.all([...writers, ...(reader ? [reader] : [])].map(({ talk }) => talk.end()));
  return writing;
}

/** The answers are checked when the clock has stopped: checking them is no work of a relay's. */
async function askAll(
  place: Workplace,
  writers: LineTalk[],
  check: (answer: string) => void,
): Promise<Writing> {
  const count = place.samples(LETTERS_EACH);
  const sends: number[] = [];
  const answers: string[] = [];
  const began = performance.now();
  await Promise.all(
    writers.map(async (talk, index) => {
      const { from: _, ...letter } = writeLetter("storm", READER, `${index}`);
      const call = printToolCall("send_message", letter);
      for (let number = 0; number < count; number += 1) {
        const asked = performance.now();
        talk.say(call);
        answers.push(await talk.hear());
        sends.push(performance.now() - asked);
      }
    }),
  );
  const tookSeconds = (performance.now() - began) / 1000;
  for (const answer of answers) check(answer);
  return { rate: (count * writers.length) / tookSeconds, sends };
}
