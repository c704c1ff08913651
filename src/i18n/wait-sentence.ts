/** Why a ritual waits, as a clause. */
import type { RitualWait } from "../army/words.ts";
import type { RitualClause } from "./en/rituals.ts";
import type { Texts } from "./texts.ts";

/** The pane's own words, if known, say more than ours. */
export function waitSentence(
  waits: RitualWait,
  words: string | undefined,
  { rituals, holds }: Pick<Texts, "rituals" | "holds">,
): string {
  if (words !== undefined) return rituals.asks(words);
  return isWait(waits, rituals.waiting) ? rituals.waiting[waits] : holds[waits];
}

function isWait(word: string, waiting: Texts["rituals"]["waiting"]): word is RitualClause {
  return word in waiting;
}
