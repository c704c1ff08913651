/**
 * Everything that is known about an army right now, without changing anything; this is what `ovld status --json`
 * prints.
 */
import { FORMATION } from "../army/formation.ts";
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentName, AgentState, Evidence, SessionState, StatusWord } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import { openRequestBox, openRequests } from "../requests/request-box.ts";
import type { RitualSight } from "../rituals/await-rituals.ts";
import { sessionNow, type ArmyMail } from "../summon/army.ts";
import { findAgentWithoutRelay, findSuspended, hasLivingRelay } from "../summon/processes.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import { isProcessAlive } from "../system/process.ts";
import type { Pane } from "../zellij/panes.ts";
import { describeSession, type SessionOptions, type SessionView } from "./describe-session.ts";
import { viewMachines, type MachinesView } from "./machines.ts";

export interface ArmyView {
  /** The current name of its session. */
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

/** Where a role's pane is: a person may move, rename and close panes and tabs. */
interface PanePlace {
  /** Null if the role no longer has a pane. */
  tab: string | null;
  /** The tab's position in the session, from 1. */
  tabNumber: number | null;
  pane: number | null;
}

export interface RoleView extends PanePlace {
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

export async function describeArmy(
  context: CommandContext,
  army: ArmyMail,
  options: SessionOptions = {},
): Promise<ArmyView> {
  const view = await describeSession(context, army, options);
  const suspended = view.state === "live" ? await findSuspended(context, army) : new Map<Role, unknown>();
  const { roles, ...rest } = describeFiles(army, view);
  return {
    ...rest,
    session: sessionNow(context.env, army.session),
    roles: roles.map((each) =>
      suspended.has(each.role) ? { ...each, agent: { state: "suspended", ...NOTHING_KNOWN } } : each,
    ),
  };
}

/** An army in the archive, which has no session. */
export function describeArchived(army: ArmyMail): ArmyView {
  return describeFiles(army, { state: "gone", panes: undefined });
}

function describeFiles({ session, relayDir, mail }: ArmyMail, view: SessionView): ArmyView {
  const open = view.state === "gone" ? [] : openRequests(openRequestBox(relayDir));
  const { folder = null, agent = null, summoned = null, roles: here = ROLES } = mail.army() ?? {};
  const roles = ROLES.map((role): RoleView => {
    if (!here.includes(role)) return describeAway(mail, role);
    const requests = open.map(({ request }) => request).filter((request) => request.role === role);
    return { ...describeRole(mail, role, view), requests };
  });
  const machines = viewMachines(mail);
  const trouble = mail.trouble() ?? null;
  return { session, relayDir, folder, agent, summoned, state: view.state, trouble, roles, machines };
}

const NOTHING_KNOWN = { since: null, evidence: "none", waitingFor: null } as const;

/** A role on another machine: what was last heard of it. */
function describeAway(mail: Mail, role: Role): RoleView {
  const heardOf = mail.away(role);
  const { machine = null, heard = null, isSilent = false, agent: report } = heardOf ?? {};
  return {
    role,
    tab: null,
    tabNumber: null,
    pane: null,
    agent: report === undefined || isSilent ? { state: "unknown", ...NOTHING_KNOWN } : describeReport(report),
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

function describeRole(mail: Mail, role: Role, view: SessionView): Omit<RoleView, "requests"> {
  const { status, task, updated } = mail.peekStatus(role);
  const [oldestId] = mail.unread(role, { handedOut: false });
  const oldest = oldestId === undefined ? undefined : mail.peek(role, oldestId);
  const report = mail.agentReport(role);
  const pane = view.panes && paneOf(role, view.panes, report);
  const isCutOff = view.state !== "gone" && findAgentWithoutRelay({ mail }, role) !== undefined;
  return {
    role,
    ...(view.panes ? placeOf(pane) : usualPlace(role, report)),
    agent: describeAgent(report, view, pane, { isCutOff, hasRelay: hasLivingRelay({ mail }, role) }),
    isCutOff,
    status,
    task,
    updated,
    unread: mail.countUnread(role),
    oldest: oldest?.timestamp ?? null,
    bell: report?.bell ?? { state: "quiet" },
    ritual: view.rituals?.get(role) ?? null,
    away: null,
  };
}

/** What the relay reports, unless the session or the pane shows that the agent is gone. */
function describeAgent(
  report: AgentReport | undefined,
  view: SessionView,
  pane: Pane | undefined,
  { isCutOff, hasRelay }: { isCutOff: boolean; hasRelay: boolean },
): RoleView["agent"] {
  if (view.state === "gone") return { state: "gone", ...NOTHING_KNOWN };
  if (pane?.ended) return { state: "gone", ...NOTHING_KNOWN, evidence: "screen" };
  // The report of an ended relay is out of date, but its agent may still be working.
  if (isCutOff) return { state: "unknown", ...NOTHING_KNOWN };
  if (report !== undefined) return describeReport(report);
  if (hasRelay) return { state: "unknown", ...NOTHING_KNOWN };
  if (view.state === "starting" || pane !== undefined) return { state: "starting", ...NOTHING_KNOWN };
  return { state: view.state === "live" ? "gone" : "unknown", ...NOTHING_KNOWN };
}

function describeReport({ state, since, evidence, waitingFor, failure }: AgentReport): RoleView["agent"] {
  return { state, since, evidence, waitingFor: waitingFor ?? null, ...(failure && { failure }) };
}

/** The pane in which the role's own agent reported to run; the pane's name counts only if no living process reports. */
function paneOf(role: Role, panes: Pane[], report: AgentReport | undefined): Pane | undefined {
  const { pane, relay, agent } = report ?? {};
  const isAlive = [relay, agent].some((process) => process !== undefined && isProcessAlive(process));
  return pane !== undefined && isAlive
    ? panes.find(({ id }) => id === pane)
    : panes.find(({ name }) => name === role);
}

function placeOf(pane: Pane | undefined): PanePlace {
  return { tab: pane?.tab ?? null, tabNumber: pane?.tabNumber ?? null, pane: pane?.id ?? null };
}

/** Where the layout puts the role, for an army whose session cannot be asked. */
function usualPlace(role: Role, report: AgentReport | undefined): PanePlace {
  const index = FORMATION.findIndex((tab) => tab.panes.some((pane) => pane.role === role));
  const tab = FORMATION[index]?.name ?? null;
  return { tab, tabNumber: index + 1, pane: report?.pane ?? null };
}
