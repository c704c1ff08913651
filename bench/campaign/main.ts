/**
 * `npm run bench:campaign -- [--messages N] [--seed N] [--json] [--record]`: six real Claude Codes in a real Zellij
 * carry out a campaign, with a stand-in for their model that plays the roles.
 */
import { cpus, constants, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { onceAskedToEnd } from "../../src/system/process.ts";
import type { ClaudeArmy } from "../../test/support/claude-army.ts";
import { recordRun } from "../record-run.ts";
import { describeMachine, printReport } from "../report.ts";
import type { Row } from "../row.ts";
import { makeZellijAvailable } from "../wake/zellij.ts";
import { tabulateFigures } from "./report.ts";
import { runCampaign, type Campaign } from "./run-campaign.ts";

const EXIT_MAIL = 1;
const EXIT_USAGE = 2;
const FLOOR_SAMPLES = 20;

process.exitCode = await main(process.argv.slice(2));

interface Options {
  messages: number;
  seed: number;
  json: boolean;
  /** Records the run as the one that the documents show. */
  record: boolean;
}

async function main(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if ("problem" in options) {
    console.error(`bench:campaign: ${options.problem}`);
    return EXIT_USAGE;
  }
  makeZellijAvailable();
  let army: ClaudeArmy | undefined;
  onceAskedToEnd((signal) => {
    void (async () => {
      await army?.[Symbol.asyncDispose]();
      process.exit(128 + constants.signals[signal]);
    })();
  });
  const load = loadavg()[0] ?? 0;
  console.error(`seed ${options.seed}, load ${load.toFixed(1)} on ${cpus().length} CPUs; summoning the army`);
  const campaign = await runCampaign({
    ...options,
    floorSamples: FLOOR_SAMPLES,
    tell: (progress) => console.error(progress),
    onArmy: (made) => (army = made),
  });
  const rows = tabulateFigures(campaign);
  const { messages, seconds, requests, turns } = campaign;
  const run = { ...describeMachine(), seed: options.seed, load, messages, seconds, requests, turns, rows };
  if (options.record) recordRun("campaign", run);
  process.stdout.write(options.json ? `${JSON.stringify({ ...campaign, ...run })}\n` : print(campaign, run));
  return isSound(campaign) ? 0 : EXIT_MAIL;
}

function parseOptions(args: string[]): Options | { problem: string } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        messages: { type: "string", default: "200" },
        seed: { type: "string", default: String(Date.now() % 1_000_000) },
        json: { type: "boolean", default: false },
        record: { type: "boolean", default: false },
      },
    });
    const [messages, seed] = [Number(values.messages), Number(values.seed)];
    if (!Number.isInteger(messages) || messages < 1) {
      return { problem: `--messages takes a whole number, not "${values.messages}"` };
    }
    if (!Number.isInteger(seed) || seed < 0) {
      return { problem: `--seed takes a whole number, not "${values.seed}"` };
    }
    return { messages, seed, json: values.json, record: values.record };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function print(
  campaign: Campaign,
  { seed, load, rows }: { seed: number; load: number; rows: Row[] },
): string {
  const { messages, seconds, requests, turns } = campaign;
  return [
    `${messages} messages, ${requests.count} requests and ${turns} turns in ${seconds.toFixed(0)} s; `,
    `seed ${seed}, load ${load.toFixed(1)} before it began\n`,
    printReport(rows, { json: false, quick: false }),
    ...campaign.lost.map((message) => `lost: ${message}\n`),
    ...campaign.doubled.map((message) => `shown twice: ${message}\n`),
    ...campaign.reminders.map((words) => `${words}\n`),
    ...campaign.empty.map((words) => `brought nothing: ${words}\n`),
    campaign.finished ? "" : "The campaign stalled: nothing moved any more before everything was done.\n",
  ].join("");
}

function isSound({
  finished,
  lost,
  doubled,
  empty,
  braked,
  reminders,
  crossings,
  stalls,
}: Campaign): boolean {
  const isSeen = stalls.every(({ seconds }) => seconds !== undefined);
  return (
    crossings.refused === crossings.tried &&
    finished &&
    isSeen &&
    lost.length + doubled.length + empty.length + braked + reminders.length === 0
  );
}
