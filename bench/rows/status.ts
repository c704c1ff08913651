/** `ovld status` for an army with mail whose session is not running: what a person waits for, without Zellij's part. */
import { openMail } from "../../src/mail/mail.ts";
import { join } from "node:path";
import { timeBareNode, timeNode } from "../time-node.ts";
import { samplePairs } from "../pairs.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const SAMPLES = 25;

export async function measureStatus(place: Workplace): Promise<Row[]> {
  const config = place.makeFolder();
  const mail = openMail(join(config, "ovld", "relay"));
  mail.init();
  mail.deliver({ from: "human", to: "overlord", subject: "wish", body: "a castle", priority: "normal" });
  const { ours, floor } = await samplePairs(
    place.samples(SAMPLES),
    () => timeNode(place, [OVLD, "status"], { XDG_CONFIG_HOME: config }),
    () => timeBareNode(place),
  );
  return [makeRow({ name: "ovld status", unit: "ms", ours: median(ours), floor: median(floor) })];
}
