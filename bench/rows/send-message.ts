/**
 * `send_message` between two agents' relays, from the client's side: until the answer says that it is stored and
 * synced.
 */
import { readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { openMail } from "../../src/mail/mail.ts";
import { syncPath } from "../../src/system/durable-files.ts";
import { bytesOnDisk, writeLetter } from "../letter.ts";
import { talkWith, type LineTalk } from "../line-talk.ts";
import { samplePairs, type Pairs } from "../pairs.ts";
import { printToolCall, readAnswer, startLoaded } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { percentile } from "../statistics.ts";
import { writeSynced } from "../synced-write.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 1500;
const WARM_UP = 100;
/** The recipient reads after this many, as an agent does now and then. */
const MOST_UNREAD = 40;

const ECHO = "process.stdin.pipe(process.stdout)";

const letter = writeLetter("overlord", "strategist", "1");
const { from: _, ...letterArgs } = letter;
const call = printToolCall("send_message", letterArgs);

export async function measureSendMessage(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const bareFolder = place.makeFolder();
  const recipient = openMail(relayDir);
  recipient.init();
  const [relay, reader] = [
    await startLoaded(place, relayDir, "overlord"),
    await startLoaded(place, relayDir, "strategist"),
  ];
  const echo = talkWith(place.startNode(["-e", ECHO]));

  const all: Pairs = { ours: [], floor: [] };
  while (all.ours.length < WARM_UP + place.samples(SAMPLES)) {
    const { ours, floor } = await samplePairs(
      MOST_UNREAD,
      () => timeRelay(relay.talk),
      () => timeFloor(echo, bareFolder),
    );
    all.ours.push(...ours);
    all.floor.push(...floor);
    recipient.claim(letter.to).settle();
    for (const name of readdirSync(bareFolder)) unlinkSync(join(bareFolder, name));
    // Otherwise the next sample would pay for writing all these removals to the disk.
    syncPath(bareFolder);
  }
  await Promise.all([relay.talk.end(), reader.talk.end(), echo.end()]);
  return [makeTailRow("p50", 0.5, 2, all), makeTailRow("p99", 0.99, 5, all)];
}

async function timeRelay(relay: LineTalk): Promise<number> {
  const began = performance.now();
  relay.say(call);
  const answer = await relay.hear();
  const took = performance.now() - began;
  readAnswer(answer);
  return took;
}

/** A bare synced write, and a round trip through the pipes of a child that does nothing. */
async function timeFloor(echo: LineTalk, folder: string): Promise<number> {
  const path = join(folder, `${performance.now()}`);
  const bytes = bytesOnDisk(letter);
  const began = performance.now();
  writeSynced(path, bytes);
  echo.say(call);
  await echo.hear();
  return performance.now() - began;
}

function makeTailRow(tail: string, share: number, timesFloor: number, { ours, floor }: Pairs): Row {
  return makeRow({
    name: `send_message, stored and synced, ${tail}`,
    unit: "ms",
    ours: percentile(ours.slice(WARM_UP), share),
    floor: percentile(floor.slice(WARM_UP), share),
    bar: { timesFloor },
  });
}
