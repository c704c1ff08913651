/** `ovld log` on the journal of a long campaign: ten thousand entries compared with a million. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openMail } from "../../src/mail/mail.ts";
import { plantJournal } from "../../test/support/plant-journal.ts";
import { OVLD } from "../relay-process.ts";
import { makeRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import type { Workplace } from "../workplace.ts";

const FEW = 10_000;
const MANY = 1_000_000;
const SAMPLES = 5;

interface Cost {
  milliseconds: number;
  megabytes: number;
}

export async function measureLongJournal(place: Workplace): Promise<Row[]> {
  const few = await plantArmy(place, FEW);
  const many = await plantArmy(place, MANY);
  const rows: Row[] = [];
  for (const [name, args] of [
    ["ovld log --since 1m", () => ["log", "--since", "1m"]],
    ["ovld log ID", ({ id }: Army) => ["log", id]],
  ] as const) {
    const costs = { few: new Array<Cost>(), many: new Array<Cost>() };
    for (let sample = 0; sample < place.samples(SAMPLES); sample += 1) {
      costs.few.push(await run(place, few, args(few)));
      costs.many.push(await run(place, many, args(many)));
    }
    const entries = `${name} of a million entries`;
    const milliseconds = (all: Cost[]): number => median(all.map((cost) => cost.milliseconds));
    const megabytes = (all: Cost[]): number => median(all.map((cost) => cost.megabytes));
    rows.push(
      makeRow({
        name: entries,
        unit: "ms",
        ours: milliseconds(costs.many),
        floor: milliseconds(costs.few),
        bar: { atMost: 300 },
      }),
      makeRow({
        name: `${entries}, memory`,
        unit: "MB",
        ours: megabytes(costs.many),
        floor: megabytes(costs.few),
        bar: { atMost: 100 },
      }),
    );
  }
  return rows;
}

interface Army {
  home: string;
  /** A message from the middle. */
  id: string;
}

/** The last message was stored just now. */
async function plantArmy(place: Workplace, entries: number): Promise<Army> {
  const home = place.makeFolder();
  const relayDir = join(home, ".config/ovld/relay");
  mkdirSync(relayDir, { recursive: true });
  openMail(relayDir).init();
  return { home, id: plantJournal(relayDir, { entries, end: Date.now() }) };
}

/** Prints at its end how much memory it has used. */
const WRAPPER = `process.on("exit", () => process.stdout.write("\\n" + process.resourceUsage().maxRSS));
process.argv.splice(1, 1); import(process.argv[1]);`;

async function run(place: Workplace, { home }: Army, args: string[]): Promise<Cost> {
  const began = performance.now();
  const child = place.startNode(["-e", WRAPPER, "-", OVLD, ...args], { HOME: home });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  await new Promise((resolve) => child.once("close", resolve));
  const kilobytes = Number(output.slice(output.lastIndexOf("\n")));
  if (!output.includes("order")) throw new Error(`ovld ${args.join(" ")} said ${output}`);
  return { milliseconds: performance.now() - began, megabytes: kilobytes / 1024 };
}
