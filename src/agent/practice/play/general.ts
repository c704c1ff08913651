/** A general's part: take a task, work on it visibly, report. The four differ in their skills. */
import type { Texts } from "../../../i18n/texts.ts";
import type { Role, Sender } from "../../../army/roles.ts";
import type { Cue, Step } from "./step.ts";

export const GENERALS = ["inferno", "glacier", "shadow", "storm"] as const satisfies readonly Role[];

export type General = (typeof GENERALS)[number];

export function isGeneral(sender: Sender): sender is General {
  return GENERALS.some((general) => general === sender);
}

/** A general remembers nothing from one task to the next. */
export function playGeneral(general: General, cue: Cue, texts: Texts["play"]): Step[] {
  if (cue.cue === "prompt") return [{ do: "say", text: texts.idleTalk[general] }];
  if (cue.from !== "strategist") return [{ do: "say", text: texts.noted(cue.from) }];
  const craft = texts.crafts[general];
  return [
    { do: "status", status: "working", task: cue.subject },
    ...craft.work.map((text): Step => ({ do: "work", text })),
    { do: "send", to: "strategist", ...texts.report(cue.subject, craft.result) },
    { do: "status", status: "done", task: craft.result },
  ];
}
