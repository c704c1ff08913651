/**
 * Waking across machines: from the moment a message is stored until a turn of an idle, real Claude Code begins, by the
 * hub and by files, alternately and for the same agent. A stand-in for its model shows when the turn begins.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MOST_MAIL } from "../../src/army/words.ts";
import { zellijCandidates } from "../../src/zellij/version.ts";
import { provideServer } from "../../src/machines/server/nats-server.ts";
import { openCarrier } from "../../test/support/carrier.ts";
import { seatClaudes, type ClaudeSeats } from "../../test/support/claude-seats.ts";
import { startHub } from "../../test/support/nats.ts";
import { makeSandbox } from "../../test/support/sandbox.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { writeLetter } from "../letter.ts";
import { samplePairs } from "../pairs.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import { median } from "../statistics.ts";
import { makeZellijAvailable } from "../wake/zellij.ts";
import type { Workplace } from "../workplace.ts";

const WAKES = 20;
const READER = "storm";
const LATER = { name: "hub: later awake than by files, p50", unit: "ms", bar: { atMost: 20 } };
const LONG = { timeout: 60_000, interval: 1 };

export async function measureHubWake(place: Workplace): Promise<Row[]> {
  if (zellijCandidates(process.env)[0] === undefined) return [makeUnmeasuredRow(LATER, "no Zellij")];
  makeZellijAvailable();
  const stop = new AbortController().signal;
  const { program } = await provideServer(process.env, { onStep: (step) => console.error(step), stop });
  await using sandbox = makeSandbox();
  const { membership } = await startHub(sandbox, { program });
  const file = join(place.makeFolder(), "joined.json");
  writeFileSync(file, JSON.stringify(membership), { mode: 0o600 });
  const overlord = openCarrier({
    membership: { ...membership, machine: "far" },
    user: "overlord",
    folder: place.makeFolder(),
    limits: MOST_MAIL,
  });
  sandbox.defer(() => overlord.close());
  await using seats = await seatClaudes([READER], { relayEnv: { OVLD_HUB: file } });
  const draft = writeLetter("overlord", READER, "1");
  const byHub = async (): Promise<void> => {
    if (!("stored" in (await overlord.deliver(draft)))) throw new Error("The hub did not store a message.");
  };
  const byFiles = async (): Promise<void> => void seats.mail.deliver(draft);
  await timeWake(seats, byFiles);
  const { ours, floor } = await samplePairs(
    place.samples(WAKES),
    () => timeWake(seats, byHub),
    () => timeWake(seats, byFiles),
  );
  return [
    makeRow({
      name: "hub: stored until a turn of Claude Code begins, p50",
      unit: "ms",
      ours: median(ours),
      floor: median(floor),
    }),
    makeRow({ ...LATER, ours: median(ours) - median(floor) }),
  ];
}

async function timeWake(seats: ClaudeSeats, deliver: () => Promise<void>): Promise<number> {
  const isIdle = (): boolean =>
    seats.registry(READER)?.status === "idle" && seats.report(READER)?.state === "idle";
  await waitUntil("it is idle", () => isIdle() && seats.mail.countUnread(READER) === 0, LONG);
  const before = seats.bells().length;
  await deliver();
  const stored = Date.now();
  await waitUntil("the model is asked", () => seats.bells().length > before, LONG);
  return (seats.bells()[before]?.at ?? stored) - stored;
}
