/** Asks the person at the terminal for a text of any number of lines, which Ctrl-D on an empty line ends. */
import { createInterface } from "node:readline";

/** Throws if `stop` is aborted. */
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
