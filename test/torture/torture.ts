/**
 * Kills senders and readers, round after round, on stores that persist through all rounds.
 *
 * After every round a survivor reads what is there. At the end, every message that was confirmed as stored has been
 * read, none was read twice unless marked, nothing damaged was ever returned, the store still works, and its journal
 * has each message once.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openMail } from "../../src/mail/mail.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";
import { bundleWorker } from "./bundle-worker.ts";
import { openLedger, sealedBody } from "./ledger.ts";
import { ROUNDS, type Lane } from "./rounds.ts";
import { seededRandom } from "./seeded-random.ts";

export interface TortureReport {
  seed: number;
  rounds: number;
  /** Rounds in which a process was really killed, by kind. */
  deaths: Record<string, number>;
  stored: number;
  read: number;
  redelivered: number;
  breaches: string[];
}

export interface TortureOptions {
  rounds: number;
  seed: number;
  onRound?: (done: number) => void;
}

const LANES = 3;

export async function torture({ rounds, seed, onRound }: TortureOptions): Promise<TortureReport> {
  await using sandbox = makeSandbox();
  const worker = await bundleWorker(sandbox, "test/torture/suicidal-worker.ts");
  const report: TortureReport = {
    seed,
    rounds,
    deaths: {},
    stored: 0,
    read: 0,
    redelivered: 0,
    breaches: [],
  };
  let begun = 0;
  let done = 0;
  const runLane = async (lane: Lane): Promise<void> => {
    while (begun < rounds) {
      const kinds = Object.entries(ROUNDS);
      const [kind, round] = kinds[begun % kinds.length] ?? [];
      if (kind === undefined || round === undefined) throw new Error("no such round");
      begun += 1;
      const died = await round(lane);
      report.deaths[kind] = (report.deaths[kind] ?? 0) + (died ? 1 : 0);
      survive(lane);
      onRound?.((done += 1));
    }
    lane.ledger.breaches.push(...leftovers(lane), ...untruths(lane));
    report.breaches.push(...lane.ledger.breaches);
    for (const key of ["stored", "read", "redelivered"] as const) report[key] += lane.ledger.counts[key];
  };
  await Promise.all(
    Array.from({ length: LANES }, (_, index) => runLane(makeLane(sandbox, worker, index, seed))),
  );
  return report;
}

/** A surviving process uses the store: it reads what waits, and a new message gets through. */
function survive(lane: Lane): void {
  const [body = ""] = lane.bodies(1);
  const message = lane.mail.deliver({
    from: "storm",
    to: "strategist",
    subject: "alive",
    body,
    priority: "normal",
  });
  lane.ledger.stored(message.id);
  const claim = lane.mail.claim("strategist");
  lane.ledger.read(claim.messages);
  claim.settle();
  lane.ledger.closeBooks();
}

function leftovers({ relayDir }: Lane): string[] {
  return ["tmp", "quarantine", "inbox/strategist", "claimed/strategist"].flatMap((folder) =>
    readdirSync(join(relayDir, folder)).map((name) => `${folder}/${name} was left behind`),
  );
}

/** Everything has been read by now, so whatever the journal calls stored has been read, too. */
function untruths({ mail }: Lane): string[] {
  const stored = new Set<string>();
  const read = new Set<string>();
  const found: string[] = [];
  for (const entry of mail.journal().next()) {
    if (entry.event === "read") read.add(entry.id);
    if (entry.event !== "stored") continue;
    if (stored.has(entry.id)) found.push(`${entry.id} is in the journal twice`);
    stored.add(entry.id);
  }
  for (const id of read) if (!stored.has(id)) found.push(`${id} was read and is not in the journal`);
  for (const id of stored) if (!read.has(id)) found.push(`${id} is in the journal and was never stored`);
  return found;
}

function makeLane(sandbox: Sandbox, worker: string, index: number, seed: number): Lane {
  const relayDir = join(sandbox.root, `relay-${index}`);
  mkdirSync(relayDir);
  const random = seededRandom(seed + index);
  let written = 0;
  const bodies = (count: number): string[] =>
    Array.from({ length: count }, () => sealedBody(`${(written += 1)}\n${"魔王 ".repeat(random(400))}`));
  return {
    relayDir,
    worker,
    mail: openMail(relayDir),
    ledger: openLedger(),
    env: sandbox.env,
    random,
    bodies,
  };
}
