/** Waiting for what a script calls a moment: a time from now, or a file that appears. */
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Moment } from "./script.ts";

const LOOK_EVERY_MS = 25;

/** Throws when `stop` is aborted meanwhile. */
export async function waitFor(moment: Moment, stop: AbortSignal): Promise<void> {
  if ("ms" in moment) await pause(moment.ms, undefined, { signal: stop });
  else while (!existsSync(moment.file)) await pause(LOOK_EVERY_MS, undefined, { signal: stop });
}
