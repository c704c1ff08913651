/** What became of a message that the person has just sent, as a sentence. */
import type { Role } from "../army/roles.ts";
import type { Texts } from "../i18n/texts.ts";
import type { MessageOutcome } from "./send-as-person.ts";

export function formatOutcome(
  { send: texts, holds }: Pick<Texts, "send" | "holds">,
  role: Role,
  outcome: MessageOutcome,
): string {
  switch (outcome.state) {
    case "rung":
    case "begun":
    case "taken":
      return texts[outcome.state](role);
    case "already rung":
      return texts.alreadyRung(role);
    case "held":
      return texts.held(role, holds[outcome.why]);
    case "unanswered":
      return texts.unanswered(role, outcome.attempt);
    case "no-agent":
      return texts.noAgent(role);
    case "away":
      if (outcome.machine === null) return texts.notHeard(role);
      return outcome.isSilent
        ? texts.silent(role, outcome.machine, clockOf(outcome.heard))
        : texts.away(role, outcome.machine);
    case "kept":
      return outcome.since === null
        ? texts.keptBehind(role, outcome.waiting)
        : texts.kept(role, clockOf(outcome.since), outcome.waiting);
    case "quiet":
    case "unknown":
      return texts.unknown(role);
  }
}

/** In this machine's time. */
function clockOf(moment: string | null): string {
  return moment === null ? "" : new Date(moment).toTimeString().slice(0, 5);
}
