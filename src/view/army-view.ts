/**
 * Everything that is known about an army right now, without changing anything; this is what `ovld status --json`
 * prints.
 */
import type { SessionState, AgentState, Evidence, StatusWord } from "../army/words.ts";
import type { AgentName } from "../army/agent-names.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentReport, BellReport } from "../mail/agent-report.ts";
import type { Mail } from "../mail/mail.ts";
import { openRequestBox } from "../mail/request-box.ts";
import type { AgentRequest } from "../mail/request.ts";
import { openRequests } from "../requests/open-requests.ts";
import type { RitualSight } from "../rituals/look-at-ritual.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { Pane } from "../zellij/panes.ts";
import { findCutOff, hasLivingRelay } from "../summon/cut-off.ts";
import { findPane, placeOf, usualPlace, type Place } from "./find-place.ts";

/** Gone: there is no session with this name. Unknown: Zellij could not be asked. */

export interface RoleView extends Place {
  role: Role;
  /** Suspended: stopped by Ctrl-Z; it does not continue by itself. */
  agent: {
    state: AgentState | "suspended";
    since: string | null;
    evidence: Evidence;
    waitingFor: string | null;
    /** The error that ended its last turn. */
    failure?: AgentReport["failure"];
  };
  /** What it asks the person and can be answered outside its pane, oldest first. */
  requests: AgentRequest[];
  /** Its agent is running, but its relay has ended, so mail does not reach it. */
  isCutOff: boolean;
  status: StatusWord;
  task: string;
  updated: string | null;
  unread: number;
  /** When the oldest unread message was sent. */
  oldest: string | null;
  bell: BellReport;
  /** What the ritual is waiting for; null if the agent has its ritual or needs none. */
  ritual: RitualSight | null;
}

export interface ArmyView {
  session: string;
  relayDir: string;
  /** The folder in which it works, and the program in its panes; null if that was never recorded. */
  folder: string | null;
  agent: AgentName | null;
  summoned: string | null;
  state: SessionState;
  trouble: ErrorReport | null;
  roles: RoleView[];
}

export interface SessionLook {
  state: SessionState;
  /** Undefined if Zellij was not asked or did not answer. */
  panes: Pane[] | undefined;
  /** The roles that have no ritual yet, and why. */
  rituals?: ReadonlyMap<Role, RitualSight>;
}

const SUSPENDED = { state: "suspended", since: null, evidence: "none", waitingFor: null } as const;

export function viewArmy(
  { session, relayDir, mail }: { session: string; relayDir: string; mail: Mail },
  look: SessionLook,
  suspended: ReadonlyMap<Role, string>,
): ArmyView {
  const open = look.state === "gone" ? [] : openRequests(openRequestBox(relayDir), relayDir);
  const roles = ROLES.map((role): RoleView => {
    const requests = open.map(({ request }) => request).filter((request) => request.role === role);
    const view = { ...viewRole({ mail, relayDir }, role, look), requests };
    return suspended.has(role) ? { ...view, agent: SUSPENDED } : view;
  });
  const { folder = null, agent = null, summoned = null } = mail.army() ?? {};
  const army = { session, relayDir, folder, agent, summoned };
  return { ...army, state: look.state, trouble: mail.trouble() ?? null, roles };
}

function viewRole(
  army: { mail: Mail; relayDir: string },
  role: Role,
  look: SessionLook,
): Omit<RoleView, "requests"> {
  const { mail } = army;
  const { status, task, updated } = mail.peekStatus(role);
  const [oldestId] = mail.unread(role, { handedOut: false });
  const oldest = oldestId === undefined ? undefined : mail.peek(role, oldestId);
  const report = mail.agentReport(role);
  const pane = look.panes && findPane(role, look.panes, report);
  const isCutOff = look.state !== "gone" && findCutOff(army, role) !== undefined;
  return {
    role,
    ...(look.panes ? placeOf(pane) : usualPlace(role, report)),
    agent: viewAgent(report, look, pane, { isCutOff, hasRelay: hasLivingRelay(army, role) }),
    isCutOff,
    status,
    task,
    updated,
    unread: mail.countUnread(role),
    oldest: oldest?.timestamp ?? null,
    bell: report?.bell ?? { state: "quiet" },
    ritual: look.rituals?.get(role) ?? null,
  };
}

/** What the relay reports, unless the session or the pane shows that the agent is gone. */
function viewAgent(
  report: AgentReport | undefined,
  look: SessionLook,
  pane: Pane | undefined,
  { isCutOff, hasRelay }: { isCutOff: boolean; hasRelay: boolean },
): RoleView["agent"] {
  const nothing = { since: null, evidence: "none", waitingFor: null } as const;
  if (look.state === "gone") return { state: "gone", ...nothing };
  if (pane?.ended) return { state: "gone", ...nothing, evidence: "screen" };
  // The report of an ended relay is out of date, but its agent may still be working.
  if (isCutOff) return { state: "unknown", ...nothing };
  if (report !== undefined) {
    const { state, since, evidence, waitingFor = null, failure } = report;
    return { state, since, evidence, waitingFor, ...(failure && { failure }) };
  }
  if (hasRelay) return { state: "unknown", ...nothing };
  if (look.state === "starting" || pane !== undefined) return { state: "starting", ...nothing };
  return { state: look.state === "live" ? "gone" : "unknown", ...nothing };
}
