/**
 * One of the six processes that write at once: into the store or, as the floor, directly into a folder. `asked`: each
 * letter comes as a line through a pipe and is answered by a line, as a relay's letters are.
 */
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ROLES, SENDERS } from "../src/army/roles.ts";
import { openMail } from "../src/mail/mail.ts";
import type { MessageDraft } from "../src/mail/store/message.ts";
import { OvldError } from "../src/system/ovld-error.ts";
import { bytesOnDisk, writeLetter } from "./letter.ts";
import { writeSynced } from "./synced-write.ts";

export const WRITER_FLAG = "--writer";

const jobShape = z.object({
  way: z.enum(["store", "bare", "asked"]),
  folder: z.string(),
  from: z.enum(SENDERS),
  to: z.enum(ROLES),
  count: z.int(),
});

/** When a writer began and ended, on the clock that all processes share. */
const spanShape = z.object({ began: z.number(), ended: z.number() });

export type WriterJob = z.infer<typeof jobShape>;
export type Span = z.infer<typeof spanShape>;

/** The arguments with which Node runs a writer. */
export function writerArgs(job: WriterJob): string[] {
  return [fileURLToPath(import.meta.url), WRITER_FLAG, JSON.stringify(job)];
}

export function readSpan(line: string): Span {
  return spanShape.parse(JSON.parse(line));
}

/** Distinguishes this writer's letters from each other and from all others. */
export function markOf(job: WriterJob, index: number): string {
  return `${job.from} ${index}`;
}

/** Says that it is ready, waits for a line, writes, and says how long it took. */
export async function runWriter([text = ""]: string[]): Promise<void> {
  const job = jobShape.parse(JSON.parse(text));
  if (job.way === "asked") return answerLetters(job);
  const write = job.way === "store" ? intoStore(job) : pastStore(job);
  console.log("ready");
  await once(process.stdin, "data");
  process.stdin.destroy();
  const began = readSharedClock();
  for (let index = 0; index < job.count; index += 1) {
    await write(writeLetter(job.from, job.to, markOf(job, index)), index);
  }
  const span: Span = { began, ended: readSharedClock() };
  console.log(JSON.stringify(span));
}

/** Each chunk is one line, because the other side waits for the answer before it writes the next. */
async function answerLetters(job: WriterJob): Promise<void> {
  const write = pastStore(job);
  console.log("ready");
  let index = 0;
  for await (const _ of process.stdin) {
    await write(writeLetter(job.from, job.to, markOf(job, index)), index);
    index += 1;
    process.stdout.write("stored\n");
  }
}

type Write = (letter: MessageDraft, index: number) => void | Promise<void>;

function intoStore({ folder }: WriterJob): Write {
  const mail = openMail(folder);
  return async (letter) => {
    while (!isDelivered(() => mail.deliver(letter))) await sleep(1);
  };
}

/** False if the inbox is full right now. */
function isDelivered(deliver: () => void): boolean {
  try {
    deliver();
    return true;
  } catch (error) {
    if (error instanceof OvldError && error.report.code === "inbox-full") return false;
    throw error;
  }
}

function pastStore({ folder, from }: WriterJob): Write {
  return (letter, index) => writeSynced(join(folder, `${from}-${index}`), bytesOnDisk(letter));
}

function readSharedClock(): number {
  return performance.timeOrigin + performance.now();
}
