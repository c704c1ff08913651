/** One practice campaign, from the wish to the army's end, next to bare Zellij calls that open and end a session. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zellijCandidates } from "../../src/zellij/version.ts";
import { killBare, makeRunner, openBare, timed } from "../bare-zellij.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 5;
const CAMPAIGN = { name: "one practice campaign, 11 messages", unit: "ms" };

export async function measurePractice(place: Workplace): Promise<Row[]> {
  const [zellij] = zellijCandidates(process.env);
  if (zellij === undefined) return [makeUnmeasuredRow(CAMPAIGN, "no Zellij")];
  const folder = place.makeFolder();
  const script = join(folder, "script.json");
  // The time the generals pretend to work is not measured.
  writeFileSync(script, JSON.stringify({ workMs: 0 }));
  const run = makeRunner(place, folder, zellij, { OVLD_PRACTICE_SCRIPT: script });
  const times = { campaign: new Array<number>(), bare: new Array<number>() };
  run(process.execPath, OVLD, "summon", "--agent", "practice", "--detached", "--no-rituals");
  writeFileSync(run.layout, run("/bin/cat", join(run.home, ".config/ovld/relay/layout.kdl")));
  run(process.execPath, OVLD, "unsummon");
  for (let round = 0; round < place.samples(SAMPLES); round += 1) {
    times.campaign.push(timed(() => run(process.execPath, OVLD, "practice")));
    times.bare.push(timed(() => openAndEnd(run, zellij)));
  }
  return [makeRow({ ...CAMPAIGN, ours: median(times.campaign), floor: median(times.bare) })];
}

function openAndEnd(run: Parameters<typeof openBare>[0], zellij: string): void {
  openBare(run, zellij);
  killBare(run, zellij);
}
