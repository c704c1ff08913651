/** Opening and ending an army in a real Zellij, next to bare Zellij calls that do the same. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zellijCandidates } from "../../src/zellij/version.ts";
import { killBare, makeRunner, openBare, timed } from "../bare-zellij.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 7;
const SUMMON = { name: "summon, until six panes are there", unit: "ms" };
const UNSUMMON = { name: "unsummon, until the session is gone", unit: "ms" };

export async function measureSession(place: Workplace): Promise<Row[]> {
  const [zellij] = zellijCandidates(process.env);
  if (zellij === undefined) return [SUMMON, UNSUMMON].map((cost) => makeUnmeasuredRow(cost, "no Zellij"));
  const run = makeRunner(place, place.makeFolder(), zellij);
  const times = { summon: new Array<number>(), open: new Array<number>() };
  const ends = { unsummon: new Array<number>(), kill: new Array<number>() };
  for (let round = 0; round < place.samples(SAMPLES); round += 1) {
    times.summon.push(timed(() => run(process.execPath, OVLD, "summon", "--detached", "--no-rituals")));
    const layout = join(run.home, ".config/ovld/relay/layout.kdl");
    writeFileSync(run.layout, run("/bin/cat", layout));
    ends.unsummon.push(timed(() => run(process.execPath, OVLD, "unsummon")));
    times.open.push(timed(() => openBare(run, zellij)));
    ends.kill.push(timed(() => killBare(run, zellij)));
  }
  return [
    makeRow({ ...SUMMON, ours: median(times.summon), floor: median(times.open) }),
    makeRow({ ...UNSUMMON, ours: median(ends.unsummon), floor: median(ends.kill) }),
  ];
}
