/**
 * Everything that is known about an army right now, without changing anything; this is what `ovld status --json`
 * prints.
 */
import type { SessionState, AgentState, Evidence, StatusWord, AgentName } from "../army/words.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { Mail } from "../mail/mail.ts";
import { openRequestBox, openRequests } from "../requests/request-box.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import type { RitualSight } from "../rituals/await-rituals.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { Pane } from "../zellij/panes.ts";
import { findCutOff, hasLivingRelay } from "../summon/cut-off.ts";
import { viewMachines, type MachinesView } from "./machines.ts";
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
  /** Null for a role on this machine. */
  away: { machine: string | null; heard: string | null; isSilent: boolean } | null;
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
  /** Null for an army on one machine. */
  machines: MachinesView | null;
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
  const open = look.state === "gone" ? [] : openRequests(openRequestBox(relayDir));
  const { roles: here } = mail.army() ?? {};
  const roles = ROLES.map((role): RoleView => {
    if (here?.includes(role) === false) return viewAway(mail, role);
    const requests = open.map(({ request }) => request).filter((request) => request.role === role);
    const view = { ...viewRole({ mail, relayDir }, role, look), requests };
    return suspended.has(role) ? { ...view, agent: SUSPENDED } : view;
  });
  const { folder = null, agent = null, summoned = null } = mail.army() ?? {};
  const army = { session, relayDir, folder, agent, summoned };
  const machines = viewMachines({ mail, relayDir });
  return { ...army, state: look.state, trouble: mail.trouble() ?? null, roles, machines };
}

/** A role on another machine: what was last heard of it. */
function viewAway(mail: Mail, role: Role): RoleView {
  const heardOf = mail.away(role);
  const { machine = null, heard = null, isSilent = false, agent: report } = heardOf ?? {};
  const unknown = { state: "unknown", since: null, evidence: "none", waitingFor: null } as const;
  return {
    role,
    tab: null,
    tabNumber: null,
    pane: null,
    agent: report === undefined || isSilent ? unknown : tellReport(report),
    requests: [],
    isCutOff: false,
    status: heardOf?.status ?? "idle",
    task: heardOf?.task ?? "",
    updated: heardOf?.updated ?? null,
    unread: heardOf?.unread ?? 0,
    oldest: null,
    bell: report?.bell ?? { state: "quiet" },
    ritual: null,
    away: { machine, heard, isSilent },
  };
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
    away: null,
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
  if (report !== undefined) return tellReport(report);
  if (hasRelay) return { state: "unknown", ...nothing };
  if (look.state === "starting" || pane !== undefined) return { state: "starting", ...nothing };
  return { state: look.state === "live" ? "gone" : "unknown", ...nothing };
}

function tellReport({ state, since, evidence, waitingFor, failure }: AgentReport): RoleView["agent"] {
  return { state, since, evidence, waitingFor: waitingFor ?? null, ...(failure && { failure }) };
}
