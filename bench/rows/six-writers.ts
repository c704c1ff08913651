/** Six processes write into one inbox as fast as they can, while its owner reads. */
import { setTimeout as sleep } from "node:timers/promises";
import { SENDERS } from "../../src/army/roles.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { writeLetter } from "../letter.ts";
import { talkWith } from "../line-talk.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";
import { markOf, readSpan, writerArgs, type WriterJob } from "../writer.ts";

export const LOST = "six writers into one inbox, lost";
export const DOUBLED = "six writers into one inbox, doubled";

/** All the others write to it. */
export const READER = "overlord";
const ROUNDS = 3;
const LETTERS_EACH = 500;
/** Often enough that the inbox never fills up, rarely enough to leave the processors to the writers. */
const READ_EVERY_MS = 20;

export async function measureSixWriters(place: Workplace): Promise<Row[]> {
  const count = place.samples(LETTERS_EACH);
  const rates = { ours: new Array<number>(), floor: new Array<number>() };
  const faults = { lost: 0, doubled: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.floor.push(await writeAtOnce(place, makeJobs("bare", place.makeFolder(), count)));
    const jobs = makeJobs("store", place.makeFolder(), count);
    const { rate, bodies } = await writeWhileReading(place, jobs);
    rates.ours.push(rate);
    const expected = jobs.flatMap((job) => Array.from({ length: count }, (_, index) => bodyOf(job, index)));
    const read = new Set(bodies);
    faults.lost += expected.filter((body) => !read.has(body)).length;
    faults.doubled += bodies.length - read.size;
  }
  const none = { atMost: 0 };
  return [
    makeRow({
      name: "six writers into one inbox, synced",
      unit: "messages/s",
      ours: median(rates.ours),
      floor: median(rates.floor),
      bar: { atLeast: 1000 },
    }),
    makeRow({ name: LOST, unit: "messages", ours: faults.lost, bar: none }),
    makeRow({ name: DOUBLED, unit: "messages", ours: faults.doubled, bar: none }),
  ];
}

export function makeJobs(way: WriterJob["way"], folder: string, count: number): WriterJob[] {
  return SENDERS.filter((sender) => sender !== READER).map((from) => ({
    way,
    folder,
    from,
    to: READER,
    count,
  }));
}

function bodyOf(job: WriterJob, index: number): string {
  return writeLetter(job.from, job.to, markOf(job, index)).body;
}

async function writeWhileReading(
  place: Workplace,
  jobs: WriterJob[],
): Promise<{ rate: number; bodies: string[] }> {
  const mail = openMail(jobs[0]?.folder ?? "");
  mail.init();
  const bodies: string[] = [];
  const written = new AbortController();
  const reading = (async () => {
    while (!written.signal.aborted) {
      bodies.push(...readAll(mail));
      await sleep(READ_EVERY_MS);
    }
  })();
  const writing = writeAtOnce(place, jobs).finally(() => written.abort());
  const [rate] = await Promise.all([writing, reading]);
  bodies.push(...readAll(mail));
  return { rate, bodies };
}

function readAll(mail: Mail): string[] {
  const { messages, remaining, settle } = mail.claim(READER);
  settle();
  return [...messages.map(({ body }) => body), ...(remaining > 0 ? readAll(mail) : [])];
}

/** Messages per second, from the first writer's first message to the last writer's last. */
async function writeAtOnce(place: Workplace, jobs: WriterJob[]): Promise<number> {
  const writers = jobs.map((job) => talkWith(place.startNode(writerArgs(job))));
  for (const writer of writers) await writer.hear();
  for (const writer of writers) writer.say("go");
  const spans = await Promise.all(writers.map(async (writer) => readSpan(await writer.hear())));
  await Promise.all(writers.map((writer) => writer.end()));
  const began = Math.min(...spans.map((span) => span.began));
  const ended = Math.max(...spans.map((span) => span.ended));
  const written = jobs.reduce((sum, { count }) => sum + count, 0);
  return written / ((ended - began) / 1000);
}
