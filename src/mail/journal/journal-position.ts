/** Finds the position of a given time in the journal without reading everything before it. */
import { readSync } from "node:fs";
import type { JournalFile } from "./journal-files.ts";

/** Several processes write, so a line may appear later than its time says. */
export const OUT_OF_ORDER_MS = 60_000;

/** Every line we write begins with its time. */
const LINE_TIMES = /\n\{"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g;
const TIME_BYTES = '\n{"at":"2026-11-15T00:00:00.000Z"'.length;
const PROBE_BYTES = 16 * 1024;

/** The beginning of a line before everything that happened since that time. */
export function positionOf(file: JournalFile, moment: number): number {
  let [low, high] = [0, file.size];
  while (high - low > 4 * PROBE_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const line = timedLineAfter(file, middle, high);
    if (line === undefined || line.time >= moment) high = middle;
    else low = line.at;
  }
  return low;
}

/** Whether the last line of a file is older than that time; false if that is unknown. */
export function endsBefore({ descriptor, size }: JournalFile, moment: number): boolean {
  const tail = Buffer.allocUnsafe(PROBE_BYTES);
  const count = readSync(descriptor, tail, 0, tail.length, Math.max(0, size - tail.length));
  const last = [...tail.toString("latin1", 0, count).matchAll(LINE_TIMES)].at(-1);
  return Date.parse(last?.[1] ?? "") < moment;
}

/** The first line between two positions that states its time. */
function timedLineAfter(
  { descriptor }: JournalFile,
  from: number,
  until: number,
): { at: number; time: number } | undefined {
  const probe = Buffer.allocUnsafe(PROBE_BYTES + TIME_BYTES);
  // Probes overlap, so that no time is split between two of them.
  for (let at = from; at < until; at += PROBE_BYTES) {
    const count = readSync(descriptor, probe, 0, Math.min(probe.length, until - at), at);
    const [found] = probe.toString("latin1", 0, count).matchAll(LINE_TIMES);
    if (found) return { at: at + found.index + 1, time: Date.parse(found[1] ?? "") };
  }
  return undefined;
}
