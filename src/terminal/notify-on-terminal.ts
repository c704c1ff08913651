/**
 * Has the person's terminal show a desktop notification (OSC 9). Most terminals that cannot show one ignore it, and
 * Zellij passes it on. Only for a terminal that this process draws on.
 */
import { writeSync } from "node:fs";
import { cleanForScreen, cleanLine } from "../system/clean-text.ts";

/** The text must not begin with a digit: some terminals read that as another command. */
export function notifyOnTerminal(text: string): void {
  try {
    writeSync(1, `\u001b]9;${cleanLine(cleanForScreen(text))}\u0007`);
  } catch {
    // The terminal is full or gone; the picture says the same.
  }
}
