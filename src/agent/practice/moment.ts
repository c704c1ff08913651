/** Waits for a moment of a script: a time from now, or a file that appears. */
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Moment } from "./script.ts";

const LOOK_EVERY_MS = 25;

/** Throws if `stop` is aborted in the meantime. */
export async function waitFor(moment: Moment, stop: AbortSignal): Promise<void> {
  if ("ms" in moment) await pause(moment.ms, undefined, { signal: stop });
  else while (!existsSync(moment.file)) await pause(LOOK_EVERY_MS, undefined, { signal: stop });
}
