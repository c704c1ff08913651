/** Finds out from outside what a role's ritual waits for: from its relay's report, otherwise from its pane. */
import { linkOfArmy } from "../agent/link-of-army.ts";
import { hasNoRitualYet } from "./ritual-file.ts";
import type { Role } from "../army/roles.ts";
import type { RitualWait } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import { findPane } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { readQuestion } from "./read-question.ts";
import { readinessOf } from "./readiness.ts";

export interface RitualField {
  zellij: Zellij;
  session: string;
  relayDir: string;
  mail: Mail;
}

export interface RitualSight {
  waits: RitualWait;
  /** The question in its pane, if it is not one that ovld knows. */
  words?: string | undefined;
}

/** In these cases the pane, if there is one, says more than the relay. */
const ASK_THE_PANE: ReadonlySet<RitualWait> = new Set(["starting", "no-composer", "asking", "no-answer"]);

/** Undefined if the role has its ritual or needs none. A quick look does not call Zellij. */
export async function lookAtRitual(
  { zellij, session, relayDir, mail }: RitualField,
  role: Role,
  how: "quickly" | "closely",
): Promise<RitualSight | undefined> {
  const report = mail.agentReport(role);
  const announced = report !== undefined && report.state !== "gone";
  const agent = announced || !isFromBefore(mail, role) ? report?.agent : undefined;
  if (!hasNoRitualYet(mail, relayDir, role, agent)) return undefined;
  const waits = (announced ? report.ritualWait : undefined) ?? "starting";
  if (how === "quickly" || !ASK_THE_PANE.has(waits)) return { waits };
  const pane = await findPane(zellij, session, role, announced ? report.pane : undefined);
  if (typeof pane === "string") return { waits: pane };
  const screen = await typistAt(zellij, session, pane).screen();
  const agentScreen = linkOfArmy(mail).screen;
  const seen = readinessOf({ announced, state: report?.state, screen, agentScreen });
  if (seen === "ready") return { waits };
  const isUnknown = seen === "asks-first" || seen === "no-composer" || seen === "asking";
  return { waits: seen, ...(isUnknown && { words: readQuestion(screen) || undefined }) };
}

/** Whether everything known about the role's agent is from before the army was summoned. */
function isFromBefore(mail: Mail, role: Role): boolean {
  const known = mail.conversation(role);
  const summoned = mail.army()?.summoned;
  return typeof known === "object" && summoned !== undefined && known.started < summoned;
}
