/** Composes the text of a bell: who sent mail and about what, and the mail itself if the bell can carry it. */
import type { Way } from "../army/words.ts";
import type { BellLoopOptions, Call } from "./bell-loop-options.ts";
import type { CarriedMail } from "./carried-mail.ts";
import type { Unfinished } from "./unfinished.ts";
import { writeTrigger } from "./trigger.ts";

/** `mayCarry`: this bell starts a turn at once, or keeps one going. */
export type ComposeCall = (way: Way, ids: readonly string[], mayCarry: boolean) => ComposedCall;

interface ComposedCall extends Call {
  /** The agent has not received the call, so its mail stays unread. */
  takeBack: () => void;
}

export function callComposer(
  { role, mail, word }: Pick<BellLoopOptions, "role" | "mail" | "word">,
  carried: Pick<CarriedMail, "take">,
  unfinished: Pick<Unfinished, "owed">,
): ComposeCall {
  return (way, ids, mayCarry) => {
    const headers = mail.headers(role, ids);
    const load = mayCarry ? carried.take(headers, ids, way) : undefined;
    const trigger = writeTrigger(headers, {
      mail: word !== undefined && load ? { follows: word } : "waits",
      unfinished: unfinished.owed().length > 0,
      typed: way === "typing",
    });
    load?.goesWith(trigger.mark);
    return {
      trigger,
      text: load ? `${trigger.text} ${load.text}` : trigger.text,
      takeBack: () => load?.takeBack(),
    };
  };
}
