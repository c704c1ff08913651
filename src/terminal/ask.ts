/** Asks the person at the terminal one question and returns the line they type; undefined if they close it instead. */
import { createInterface } from "node:readline/promises";
import { readyForScreen } from "./steer.ts";

export async function ask(question: string, stop: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // While it reads, Ctrl-C is a key and not a signal; to whoever runs the command it is the signal.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([terminal.question(readyForScreen(question), { signal: stop }), closed]);
  } finally {
    terminal.close();
  }
}
