/** Finds a role's pane: a person may move, rename and close panes and tabs. */
import { FORMATION } from "../army/formation.ts";
import type { Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/records/agent-report.ts";
import { isProcessAlive } from "../system/process.ts";
import type { Pane } from "../zellij/panes.ts";

export interface Place {
  /** Null if the role no longer has a pane. */
  tab: string | null;
  /** The tab's position in the session, from 1. */
  tabNumber: number | null;
  pane: number | null;
}

/** The pane in which the role's own agent reported to run; the pane's name counts only if no living process reports. */
export function findPane(role: Role, panes: Pane[], report: AgentReport | undefined): Pane | undefined {
  if (report?.pane !== undefined && speaksForItself(report))
    return panes.find(({ id }) => id === report.pane);
  return panes.find(({ name }) => name === role);
}

function speaksForItself({ relay, agent }: AgentReport): boolean {
  return isProcessAlive(relay) || (agent !== undefined && isProcessAlive(agent));
}

export function placeOf(pane: Pane | undefined): Place {
  return { tab: pane?.tab ?? null, tabNumber: pane?.tabNumber ?? null, pane: pane?.id ?? null };
}

/** Where the layout puts the role, for an army whose session cannot be asked. */
export function usualPlace(role: Role, report: AgentReport | undefined): Place {
  const index = FORMATION.findIndex((tab) => tab.panes.some((pane) => pane.role === role));
  const tab = FORMATION[index]?.name ?? null;
  return { tab, tabNumber: index + 1, pane: report?.pane ?? null };
}
