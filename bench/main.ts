/**
 * `npm run bench -- [--json] [--quick] [--record] [--only WORDS]`: what ovld costs, each cost next to its floor in
 * the same run.
 *
 * For the bare document, without npm's own lines around it: `npm run --silent bench -- --json`.
 */
import { constants } from "node:os";
import { onceAskedToEnd } from "../src/system/process.ts";
import { leaveAllSeats } from "../test/support/seats.ts";
import { parseOptions, type Options } from "./options.ts";
import { recordRun } from "./record-run.ts";
import { describeMachine, printReport } from "./report.ts";
import type { Row } from "./row.ts";
import { measureBurst } from "./rows/burst.ts";
import { measureCheckInbox } from "./rows/check-inbox.ts";
import { measureCostOfTalking } from "./rows/cost-of-talking.ts";
import { measureDesk } from "./rows/desk.ts";
import { measureDeskAnswer } from "./rows/desk-answer.ts";
import { measureGrowth } from "./rows/growth.ts";
import { measureHook } from "./rows/hook.ts";
import { measureHub } from "./rows/hub.ts";
import { measureHubArmies } from "./rows/hub-armies.ts";
import { measureHubRelay } from "./rows/hub-relay.ts";
import { measureHubWake } from "./rows/hub-wake.ts";
import { measureHelp } from "./rows/help.ts";
import { measureLongJournal } from "./rows/long-journal.ts";
import { measureMcpWriters } from "./rows/mcp-writers.ts";
import { measureMemory } from "./rows/memory.ts";
import { measurePractice } from "./rows/practice.ts";
import { measureRelayStart } from "./rows/relay-start.ts";
import { measureSendMessage } from "./rows/send-message.ts";
import { measureSession } from "./rows/session.ts";
import { DOUBLED, LOST, measureSixWriters } from "./rows/six-writers.ts";
import { measureStatus } from "./rows/status.ts";
import { makeWorkplace, type Workplace } from "./workplace.ts";
import { runWriter, WRITER_FLAG } from "./writer.ts";

const EXIT_MAIL_BROKEN = 1;
const EXIT_USAGE = 2;

const MEASUREMENTS: Record<string, (place: Workplace) => Promise<Row[]>> = {
  "send_message over MCP": measureSendMessage,
  "start of a relay": measureRelayStart,
  "memory of six idle relays": measureMemory,
  "ovld --help": measureHelp,
  "ovld status": measureStatus,
  "the desk": measureDesk,
  "an answer at the desk": measureDeskAnswer,
  "six writers into one inbox": measureSixWriters,
  "six writers over MCP": measureMcpWriters,
  "growth with unread mail": measureGrowth,
  "a burst of mail": measureBurst,
  "growth with the journal": measureLongJournal,
  "check_inbox of a full inbox": measureCheckInbox,
  "mail through a hub": measureHub,
  "a relay with a hub": measureHubRelay,
  "waking through a hub": measureHubWake,
  "armies on one hub": measureHubArmies,
  "a hook's call": measureHook,
  "cost of talking": measureCostOfTalking,
  "opening and ending an army": measureSession,
  "a practice campaign": measurePractice,
};

const [first, ...rest] = process.argv.slice(2);
// The writers of one measurement are this same program in processes of their own.
if (first === WRITER_FLAG) await runWriter(rest);
else process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if ("problem" in options) {
    console.error(`bench: ${options.problem}`);
    return EXIT_USAGE;
  }
  const rows = await measureAll(options);
  process.stdout.write(printReport(rows, options));
  if (options.record) recordRun("bench", { ...describeMachine(), rows });
  const broken = rows.some(({ name, ours }) => (name === LOST || name === DOUBLED) && ours !== 0);
  return broken ? EXIT_MAIL_BROKEN : 0;
}

async function measureAll({ quick, only }: Options): Promise<Row[]> {
  const place = makeWorkplace(quick);
  onceAskedToEnd((signal) => {
    place.leave();
    void leaveAllSeats().finally(() => process.exit(128 + constants.signals[signal]));
  });
  try {
    const rows: Row[] = [];
    for (const [name, measure] of Object.entries(MEASUREMENTS)) {
      if (!name.includes(only)) continue;
      console.error(`measuring: ${name}`);
      rows.push(...(await measure(place)));
    }
    return rows;
  } finally {
    place.leave();
  }
}
