/** What became of a message that the person has just sent, as a sentence. */
import type { Role } from "../army/roles.ts";
import type { Texts } from "../i18n/texts.ts";
import type { Fate } from "../summon/await-fate.ts";

export function tellFate(
  { send: texts, holds }: Pick<Texts, "send" | "holds">,
  role: Role,
  fate: Fate,
): string {
  switch (fate.state) {
    case "rung":
      return texts.rung(role);
    case "begun":
      return texts.begun(role);
    case "already rung":
      return texts.alreadyRung(role);
    case "held":
      return texts.held(role, holds[fate.why]);
    case "unanswered":
      return texts.unanswered(role, fate.attempt);
    case "taken":
      return texts.taken(role);
    case "no-agent":
      return texts.noAgent(role);
    case "away":
      if (fate.machine === null) return texts.notHeard(role);
      return fate.isSilent
        ? texts.silent(role, fate.machine, clockOf(fate.heard))
        : texts.away(role, fate.machine);
    case "kept":
      return fate.since === null
        ? texts.keptBehind(role, fate.waiting)
        : texts.kept(role, clockOf(fate.since), fate.waiting);
    case "quiet":
    case "unknown":
      return texts.unknown(role);
  }
}

/** In this machine's time. */
function clockOf(moment: string | null): string {
  return moment === null ? "" : new Date(moment).toTimeString().slice(0, 5);
}
