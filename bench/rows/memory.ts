/**
 * The memory of a whole army's relays at rest, each page counted once however many processes share it (PSS).
 *
 * Other Node processes on the machine share the program's pages as well, which makes both ovld and the floor look
 * lighter.
 */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ROLES } from "../../src/army/roles.ts";
import { talkWith } from "../line-talk.ts";
import { startRelay, type RelayProcess } from "../relay-process.ts";
import { makeRow, makeUnmeasuredRow, type Row } from "../row.ts";
import type { Workplace } from "../workplace.ts";

const REST_MS = 1_000;
const COST = { name: "memory of six idle relays (PSS)", unit: "MiB", bar: { atMost: 130 } };

type Weighed = Pick<RelayProcess, "child" | "talk">;

export async function measureMemory(place: Workplace): Promise<Row[]> {
  if (!existsSync(`/proc/${process.pid}/smaps_rollup`)) return [makeUnmeasuredRow(COST, "no /proc")];
  const ours = await weigh(await startRelays(place));
  const floor = await weigh(ROLES.map(() => startBareNode(place)));
  return [makeRow({ ...COST, ours, floor })];
}

/** Six relays that are running and connected; nothing is weighed where that is impossible. */
export async function weighRelays(relays: Weighed[], name: string): Promise<Row[]> {
  const cost = { ...COST, name };
  if (!existsSync(`/proc/${process.pid}/smaps_rollup`)) return [makeUnmeasuredRow(cost, "no /proc")];
  return [makeRow({ ...cost, ours: await weigh(relays) })];
}

async function startRelays(place: Workplace): Promise<Weighed[]> {
  const relayDir = place.makeFolder();
  const relays = await Promise.all(ROLES.map((role) => startRelay(place, relayDir, role)));
  for (const relay of relays) await relay.ask("tools/list");
  return relays;
}

function startBareNode(place: Workplace): Weighed {
  const child = place.startNode(["-e", "process.stdin.resume()"]);
  return { child, talk: talkWith(child) };
}

/** Ends the processes it has weighed, because pages that both kinds share would make either look lighter. */
async function weigh(processes: Weighed[]): Promise<number> {
  await sleep(REST_MS);
  let kibibytes = 0;
  for (const { child } of processes) kibibytes += readProportionalSetSize(child.pid);
  for (const { talk } of processes) await talk.end();
  return kibibytes / 1024;
}

export function readProportionalSetSize(pid: number | undefined): number {
  const line = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  if (!line) throw new Error("smaps_rollup has no Pss line.");
  return Number(line[1]);
}
