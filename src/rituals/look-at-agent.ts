/** A look at one role: is its pane there, and is its agent ready for a ritual? */
import type { Role } from "../army/roles.ts";
import type { RitualWait } from "../mail/journal.ts";
import type { Mail } from "../mail/mail.ts";
import { isProcessAlive } from "../system/process-identity.ts";
import { findPane, type Pane, type PaneTrouble } from "../zellij/panes.ts";
import { typistAt } from "../zellij/typing.ts";
import type { Zellij } from "../zellij/zellij.ts";
import { readinessOf } from "./readiness.ts";

export interface Field {
  zellij: Zellij;
  session: string;
  mail: Mail;
}

export type Sight =
  { ready: Pane } | { waits: RitualWait } | { outcome: Exclude<PaneTrouble, "zellij-failed"> };

/** A quick look does not trouble Zellij over an agent that has not announced itself yet. */
export async function lookAtAgent(
  { zellij, session, mail }: Field,
  role: Role,
  how: "quickly" | "closely",
): Promise<Sight> {
  const announced = mail.presences().some((each) => each.role === role && isProcessAlive(each.relay));
  if (!announced && how === "quickly") return { waits: "starting" };
  const pane = await findPane(zellij, session, role);
  if (pane === "zellij-failed") return { waits: "no-answer" };
  if (typeof pane === "string") return { outcome: pane };
  const screen = await typistAt(zellij, session, pane).screen();
  const readiness = readinessOf({ announced, state: mail.agentReport(role)?.state, screen });
  return readiness === "ready" ? { ready: pane } : { waits: readiness };
}
