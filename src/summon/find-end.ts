/** When and how an army that is not running has ended. Changes nothing. */
import type { ArmyEnd } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";

export interface End {
  at: string;
  how: ArmyEnd;
}

type Notes = Pick<Mail, "army" | "journal" | "lastSign">;

export function findEnd(mail: Notes): End {
  const cutOff = { at: new Date(mail.lastSign()).toISOString(), how: "crashed" } as const;
  return mail.army()?.ended ?? endBeforeFailedReturn(mail) ?? cutOff;
}

/** Longer than a summon takes that fails. */
const FAILS_WITHIN_MS = 10 * 60 * 1_000;

/**
 * The end before a summon that was to bring the army back and failed or was killed: its agents have done nothing
 * since. Undefined if there was none.
 */
export function endBeforeFailedReturn(mail: Notes): End | undefined {
  const since = mail.lastSign() - FAILS_WITHIN_MS;
  let end: End | undefined;
  for (const entry of mail.journal(since).next()) {
    if (entry.event === "returned")
      end = Date.parse(entry.at) < since ? undefined : { at: entry.ended, how: entry.how };
    // A person may have written to the army meanwhile.
    else if (entry.event !== "stored" || entry.by?.program === "relay") end = undefined;
  }
  return end;
}
