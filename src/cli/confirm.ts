/** Asks the person a question that is answered with yes or no; anything but yes, and the end of input, is no. */
import { createInterface } from "node:readline/promises";
import { textsOf, type Machine } from "./machine.ts";

export async function confirm(machine: Machine, question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // While it reads keys itself, Ctrl-C is one of them.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    const answer = terminal.question(question, { signal: machine.stop });
    return textsOf(machine).yes.test(await Promise.race([answer, closed]));
  } finally {
    terminal.close();
  }
}
