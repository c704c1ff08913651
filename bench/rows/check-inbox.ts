/** `check_inbox` on a full inbox, until the client has the messages and their files are gone. */
import { readdirSync, readFileSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { openMail } from "../../src/mail/mail.ts";
import { storePaths } from "../../src/mail/store/paths.ts";
import { bytesOnDisk, writeLetter } from "../letter.ts";
import { printToolCall, readAnswer, startRelay, type RelayProcess } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { writeSynced } from "../synced-write.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 7;
const MANY = 1_000;
const FEW = 100;
const MORE_WAITS = '"More mail waits';

export async function measureCheckInbox(place: Workplace): Promise<Row[]> {
  const relayDir = place.makeFolder();
  const relay = await startRelay(place, relayDir, "strategist");
  const samples = { few: new Array<number>(), many: new Array<number>(), floor: new Array<number>() };
  for (let round = 0; round < place.samples(SAMPLES); round += 1) {
    samples.floor.push(timeFloor(place, MANY));
    samples.many.push(await timeCheckInbox(relay, relayDir, MANY));
    samples.few.push(await timeCheckInbox(relay, relayDir, FEW));
  }
  await relay.talk.end();
  const many = median(samples.many);
  return [
    makeRow({
      name: `check_inbox of ${MANY} messages`,
      unit: "ms",
      ours: many,
      floor: median(samples.floor),
      bar: { timesFloor: 2 },
    }),
    makeRow({
      name: `check_inbox, one of ${MANY} against one of ${FEW}`,
      unit: "µs",
      ours: (many / MANY) * 1000,
      floor: (median(samples.few) / FEW) * 1000,
      bar: { timesFloor: 1.5 },
    }),
  ];
}

async function timeCheckInbox(relay: RelayProcess, relayDir: string, count: number): Promise<number> {
  const mail = openMail(relayDir);
  for (let index = 0; index < count; index += 1) mail.deliver(letterNumber(index));
  const began = performance.now();
  const answers: string[] = [];
  // If an answer would be too long for a model, its second part says that more mail waits.
  for (let remains = true; remains;) {
    relay.talk.say(printToolCall("check_inbox"));
    const answer = await relay.talk.hear();
    answers.push(answer);
    remains = answer.includes(MORE_WAITS);
  }
  // The relay keeps the files briefly; asking again removes them first.
  await relay.ask("tools/call", { name: "check_inbox" });
  const took = performance.now() - began;
  for (const answer of answers) readAnswer(answer);
  const left = readdirSync(storePaths(relayDir).claims("strategist"));
  if (left.length > 0) throw new Error("The relay answered again before it had removed what it handed over.");
  return took;
}

function letterNumber(index: number): ReturnType<typeof writeLetter> {
  return writeLetter("overlord", "strategist", `${index}`);
}

function timeFloor(place: Workplace, count: number): number {
  const [inbox, claimed] = [place.makeFolder(), place.makeFolder()];
  const names = Array.from({ length: count }, (_, index) => `${index}.json`);
  // Synced like the store's: removing a file that never reached the disk would be cheaper.
  for (const [index, name] of names.entries())
    writeSynced(join(inbox, name), bytesOnDisk(letterNumber(index)));
  const began = performance.now();
  for (const name of names) {
    const path = join(claimed, name);
    renameSync(join(inbox, name), path);
    readFileSync(path, "utf8");
    unlinkSync(path);
  }
  return performance.now() - began;
}
