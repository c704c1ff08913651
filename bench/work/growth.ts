/** `ovld task add` and `ovld task list` of an army that has just begun, and of one in which a thousand tasks were added. */
import { join } from "node:path";
import { openMail } from "../../src/mail/mail.ts";
import { WORK_FOLDER } from "../../src/mail/store/paths.ts";
import { openBoard } from "../../src/work/board.ts";
import { recordWork } from "../../src/work/work.ts";
import { task } from "../../test/support/work.ts";
import { samplePairs, type Pairs } from "../pairs.ts";
import { OVLD } from "../relay-process.ts";
import { timeNode } from "../time-node.ts";
import { makeWorkplace, type Workplace } from "../workplace.ts";

/** Only these are not finished, in both armies: only they are listed. */
const UNFINISHED = 10;

export interface Growth {
  add: Pairs;
  list: Pairs;
}

export async function measureTaskGrowth(tasks: number, samples: number, stop: AbortSignal): Promise<Growth> {
  const place = makeWorkplace(false);
  const leave = (): void => place.leave();
  stop.addEventListener("abort", leave);
  try {
    const [few, many] = [makeArmy(place, UNFINISHED), makeArmy(place, tasks)];
    const sample = (...words: string[]): Promise<Pairs> =>
      samplePairs(
        samples,
        () => timeNode(place, [OVLD, "task", ...words], { XDG_CONFIG_HOME: many }),
        () => timeNode(place, [OVLD, "task", ...words], { XDG_CONFIG_HOME: few }),
      );
    const list = await sample("list");
    return { list, add: await sample("add", "One more", "With a goal") };
  } finally {
    stop.removeEventListener("abort", leave);
    place.leave();
  }
}

/** Returns the folder of its configuration. */
function makeArmy(place: Workplace, tasks: number): string {
  const config = place.makeFolder();
  const relayDir = join(config, "ovld", "relay");
  openMail(relayDir).init();
  const folder = join(relayDir, WORK_FOLDER);
  const board = openBoard(folder);
  for (let at = 0; at < tasks; at += 1) {
    const id = board.add(task(`Task ${at}`));
    if (at >= tasks - UNFINISHED) continue;
    const commit = at.toString(16).padStart(40, "0");
    const outcome = { is: "landed", commit, checked: true } as const;
    board.record(id, { number: 1, commit, handed: "2026-11-18T00:00:00.000Z", outcome });
    board.move({ id, state: "open", owner: undefined }, "landed", "inferno");
  }
  recordWork(folder, {
    army: "overlord",
    home: place.makeFolder(),
    branch: "main",
    folder: "",
    trees: place.makeFolder(),
    checkMinutes: 1,
    intoMine: false,
    lastNumber: 0,
  });
  return config;
}
