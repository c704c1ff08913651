/** What in an army needs the person, as a sentence. */
import { formatFailure, formatWait } from "../i18n/sentences.ts";
import type { Texts } from "../i18n/texts.ts";
import { summarizeRequest } from "../requests/name-request.ts";
import type { Role } from "../army/roles.ts";
import type { Need } from "./need.ts";

export function tellNeed(
  need: Need,
  role: Role,
  texts: Pick<Texts, "status" | "rituals" | "holds" | "failures">,
): string {
  const { needs } = texts.status;
  switch (need.kind) {
    case "asking":
      return needs.asking(role, need.request ? summarizeRequest(need.request) : need.waitingFor);
    case "gone":
      return needs.gone(role, need.closed);
    case "suspended":
      return needs.suspended(role);
    case "cut-off":
      return needs.cutOff(role);
    case "ritual":
      return needs.ritual(role, formatWait(need.sight.waits, need.sight.words, texts));
    case "failed":
      return needs.failed(role, formatFailure(need.error, need.until, texts));
    case "held":
      return needs.held(role, texts.holds[need.why]);
    case "unanswered":
      return needs.unanswered(role, need.attempts);
    case "blocked":
      return needs.blocked(role, need.task);
  }
}
