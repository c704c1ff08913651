/** Throws away what was typed before a question is on the screen: it was not meant for that question. */
import { pause } from "../system/async.ts";

/** What the terminal already has arrives at once. */
const DISCARD_FOR_MS = 50;
/** In raw mode it is a key like any other. */
const CTRL_C = 3;

/** Only for a terminal. */
export async function discardTyped(stop: AbortSignal): Promise<void> {
  const { stdin } = process;
  // In line mode a half-typed line would stay with the terminal.
  stdin.setRawMode(true);
  stdin.on("data", discard).resume();
  await pause(DISCARD_FOR_MS, stop);
  stdin.off("data", discard).pause();
  stdin.setRawMode(false);
}

function discard(typed: Buffer): void {
  if (typed.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
}
