/**
 * Asks the person at the terminal one question and returns the line they type; undefined if they close the input
 * instead.
 */
import { createInterface } from "node:readline/promises";
import { readyForScreen } from "./steer.ts";

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
