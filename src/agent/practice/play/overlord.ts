/** The overlord's part: it turns a wish into an order, and the strategist's report into the answer. */
import type { Texts } from "../../../i18n/texts.ts";
import { LIMITS } from "../../../mail/store/limits.ts";
import type { Cue, Reaction } from "./step.ts";

/** The wishes that are being worked on, oldest first. */
export type OverlordMemory = readonly string[];

export function playOverlord(
  wishes: OverlordMemory,
  cue: Cue,
  texts: Texts["play"],
): Reaction<OverlordMemory> {
  if (cue.cue === "mail" && cue.from === "strategist") return tellReport(wishes, cue.body, texts);
  if (cue.cue === "mail" && cue.from !== "human") {
    return { memory: wishes, steps: [{ do: "say", text: texts.noted(cue.from) }] };
  }
  const wish = cue.cue === "mail" ? cue.body : cue.text;
  const { subject, body } = texts.order(wish);
  return {
    memory: [...wishes, wish],
    steps: [
      { do: "say", text: texts.wishHeard(wish) },
      { do: "status", status: "working", task: cut(wish, LIMITS.taskCharacters) },
      { do: "send", to: "strategist", subject: cut(subject, LIMITS.subjectCharacters), body },
    ],
  };
}

function tellReport(wishes: OverlordMemory, report: string, texts: Texts["play"]): Reaction<OverlordMemory> {
  const [, ...others] = wishes;
  return {
    memory: others,
    steps: [
      { do: "say", text: texts.wishFulfilled(report) },
      {
        do: "status",
        status: others.length === 0 ? "done" : "working",
        task: cut(others[0] ?? report, LIMITS.taskCharacters),
      },
    ],
  };
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
