/** Asks the person at the terminal. */
import { createInterface } from "node:readline/promises";
import { readyForScreen } from "./print.ts";
import { pause } from "../system/async.ts";

/** One question, answered with a line; undefined if they close the input instead. */
export async function ask(question: string, stop: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // While `readline` reads, Ctrl-C is a key; the rest of the program expects it as a signal.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(readyForScreen(question), { signal: stop }), closed]);
  } finally {
    terminal.close();
  }
}

/** A text of any number of lines, which Ctrl-D on an empty line ends. Throws if `stop` is aborted. */
export async function askForText(stop: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: "" });
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const lines: string[] = [];
  terminal.on("line", (line) => lines.push(line));
  const close = (): void => terminal.close();
  stop.addEventListener("abort", close);
  await new Promise((resolve) => terminal.once("close", resolve));
  stop.removeEventListener("abort", close);
  stop.throwIfAborted();
  return lines.join("\n");
}

/**
 * Throws away what was typed before a question is on the screen: it was not meant for that question. Only for a
 * terminal.
 */
export async function discardTyped(stop: AbortSignal): Promise<void> {
  const { stdin } = process;
  // In line mode a half-typed line would stay with the terminal.
  stdin.setRawMode(true);
  stdin.on("data", discard).resume();
  // What the terminal already has arrives at once.
  await pause(50, stop);
  stdin.off("data", discard).pause();
  stdin.setRawMode(false);
}

/** In raw mode it is a key like any other. */
const CTRL_C = 3;

function discard(typed: Buffer): void {
  if (typed.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
}
