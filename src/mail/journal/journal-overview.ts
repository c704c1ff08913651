/**
 * How much happened when, over the whole journal, without reading it: times are looked up at evenly spaced positions,
 * and the bytes between two of them stand for what happened in between.
 */
import { readSync } from "node:fs";
import { openJournalFiles, type JournalFile } from "./journal-files.ts";
import type { Store } from "../store/store.ts";

export interface JournalOverview {
  /** When the journal begins and ends, in milliseconds since 1970. */
  from: number;
  until: number;
  /** The bytes written in each of the equal parts of that time. */
  parts: number[];
}

interface Probe {
  time: number;
  /** Its position in the whole journal. */
  at: number;
}

const PROBES = 400;
const PROBE_BYTES = 4 * 1024;
const LINE_TIME = /(?:^|\n)\{"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
/** A pause between two probes is not filled with what was written before it. */
const MOST_PARTS_PER_PROBE = 3;

/** Undefined if nothing has happened. */
export function overlookJournal(store: Store, count: number): JournalOverview | undefined {
  let total = 0;
  for (const { size } of openJournalFiles(store.paths)) total += size;
  const step = Math.max(1, Math.ceil(total / PROBES));
  const probes = new Map<number, Probe>();
  let before = 0;
  for (const file of openJournalFiles(store.paths)) {
    for (let at = 0; at < file.size; at += step) {
      const probe = probeAt(file, at, before);
      if (probe !== undefined) probes.set(probe.at, probe);
    }
    before += file.size;
  }
  return spread([...probes.values()], before, count);
}

function probeAt({ descriptor }: JournalFile, at: number, before: number): Probe | undefined {
  const bytes = Buffer.allocUnsafe(PROBE_BYTES);
  const text = bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, bytes.length, at));
  // Only at the beginning of a file does the text certainly begin with a line.
  const found = LINE_TIME.exec(at === 0 ? text : text.replace(/^[^\n]*/, ""));
  const time = Date.parse(found?.[1] ?? "");
  if (found === null || Number.isNaN(time)) return undefined;
  const skipped = at === 0 ? 0 : Math.max(0, text.indexOf("\n"));
  return { time, at: before + at + skipped + found.index };
}

function spread(probes: readonly Probe[], total: number, count: number): JournalOverview | undefined {
  const [first, ...others] = probes.map(({ time }) => time);
  if (first === undefined) return undefined;
  const from = others.reduce((least, time) => Math.min(least, time), first);
  const until = others.reduce((most, time) => Math.max(most, time), first) + 1;
  const partOf = (time: number): number => Math.floor(((time - from) / (until - from)) * count);
  const parts = Array.from({ length: count }, () => 0);
  for (const [index, { time, at }] of probes.entries()) {
    const next = probes[index + 1];
    const bytes = (next?.at ?? total) - at;
    const reached = partOf(Math.max(time, (next?.time ?? until) - 1)) - partOf(time) + 1;
    const width = reached > MOST_PARTS_PER_PROBE ? 1 : reached;
    for (let part = partOf(time); part < partOf(time) + width; part += 1)
      parts[part] = (parts[part] ?? 0) + bytes / width;
  }
  return { from, until, parts: parts.map(Math.round) };
}
