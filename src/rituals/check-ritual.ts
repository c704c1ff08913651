/** Checks that a role prompt can be typed into a terminal as a whole, and is nothing but a prompt. Pure. */
import type { RitualProblem } from "../system/ovld-error.ts";

export const MOST_RITUAL_BYTES = 32 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Newline and tab are text; a carriage return would send the first half as a prompt of its own. */
const CONTROL = /[^\P{Cc}\n\t]/u;
/** At the very beginning, these characters make an agent program run the text instead of reading it. */
const COMMAND = /^[!/]/;

export function checkRitual(bytes: Uint8Array): { text: string } | { problem: RitualProblem } {
  if (bytes.length > MOST_RITUAL_BYTES) return { problem: "too-large" };
  const text = decode(bytes);
  if (text === undefined) return { problem: "not-utf8" };
  if (text.trim() === "") return { problem: "empty" };
  if (CONTROL.test(text)) return { problem: "control-characters" };
  if (COMMAND.test(text.trimStart())) return { problem: "a-command" };
  return { text };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
