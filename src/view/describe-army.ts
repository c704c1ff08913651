/**
 * Everything that is known about an army right now, without changing anything; this is what `ovld status --json`
 * prints.
 */
import { join } from "node:path";
import { FORMATION } from "../army/formation.ts";
import { ROLES, type Recipient, type Role } from "../army/roles.ts";
import type { AgentState, Evidence, StatusWord } from "../army/words.ts";
import type { CommandContext } from "../command/command-context.ts";
import { readSettingsOrDefaults, type Price } from "../config/settings.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentReport, BellReport } from "../mail/records/agent-report.ts";
import type { Order } from "../mail/records/orders.ts";
import type { AgentRequest } from "../mail/records/request.ts";
import { WORK_FOLDER } from "../mail/store/paths.ts";
import { budgetOf } from "../person/budget.ts";
import { brakedMail, type Braked } from "../person/held.ts";
import { describeLetters, questionOf, type Letter } from "../person/letters.ts";
import { openRequestBox, openRequests } from "../requests/request-box.ts";
import type { RitualSight } from "../rituals/await-rituals.ts";
import { sessionNow, type ArmyMail } from "../summon/army.ts";
import { findAgentWithoutRelay, findSuspended, hasLivingRelay } from "../summon/processes.ts";
import { isProcessAlive } from "../system/process.ts";
import type { Pane } from "../zellij/panes.ts";
import { describePlan } from "./describe-plan.ts";
import { describeSession, type SessionOptions, type SessionView } from "./describe-session.ts";
import { describeMachines } from "./machines.ts";

/** `folder`, `agent` and `summoned` are null if that was never recorded, `machines` for an army on one machine, `work` for one without trees. */
export type ArmyView = ReturnType<typeof describeFiles>;

export interface RoleView {
  role: Role;
  /** Where its pane is: a person may move, rename and close panes and tabs. Null if it no longer has one. */
  tab: string | null;
  /** The tab's position in the session, from 1. */
  tabNumber: number | null;
  pane: number | null;
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
  /** Whose answer it waits for, if it is blocked and has said so. */
  waitsFor: Recipient | null;
  /** What it asks the person, if it waits for them. */
  question: Letter | null;
  /** The person has written to it, and it has not read that yet. */
  hasAnswer: boolean;
  unread: number;
  /** When the oldest unread message was sent. */
  oldest: string | null;
  bell: BellReport;
  /** What the brake holds until the person decides; null if nothing. */
  braked: Braked | null;
  /** What the ritual is waiting for; null if the agent has its ritual or needs none. */
  ritual: RitualSight | null;
  /** What it has stopped working on without a word, even after a reminder; whoever gave it has been told. */
  stalled: Pick<Order, "id" | "from" | "subject">[];
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
  const { prices } = readSettingsOrDefaults(context.env).settings;
  return { ...describeFiles(army, view, suspended, prices), session: sessionNow(context.env, army.session) };
}

/** An army in the archive, which has no session. */
export function describeArchived(army: ArmyMail): ArmyView {
  return describeFiles(army, { state: "gone", panes: undefined }, new Map());
}

type Suspended = Pick<ReadonlyMap<Role, unknown>, "has">;

function describeFiles(
  army: ArmyMail,
  view: SessionView,
  suspended: Suspended,
  prices?: Record<string, Price>,
) {
  const { session, relayDir, mail } = army;
  const open = view.state === "gone" ? [] : openRequests(openRequestBox(relayDir));
  const { folder = null, agent = null, summoned = null, roles: here = ROLES } = mail.army() ?? {};
  const roles = ROLES.map((role): RoleView => {
    if (!here.includes(role)) return describeAway(mail, role);
    const requests = open.map(({ request }) => request).filter((request) => request.role === role);
    const described = { ...describeRole(army, role, view), requests };
    return suspended.has(role) ? { ...described, agent: knownOnly("suspended") } : described;
  });
  const machines = describeMachines(mail);
  const trouble = mail.trouble() ?? null;
  const work = describePlan(join(relayDir, WORK_FOLDER));
  const known = { session, relayDir, folder, agent, summoned, state: view.state, trouble };
  /** The person's own mail that they have not read; it is where the overlord is. */
  const inbox = describeLetters(mail);
  /** Null without a budget. */
  const budget = budgetOf(army, prices);
  return { ...known, budget, inbox, roles, machines, work };
}

/** Nothing else is known about the agent. */
function knownOnly(state: RoleView["agent"]["state"], evidence: Evidence = "none"): RoleView["agent"] {
  return { state, since: null, evidence, waitingFor: null };
}

/** A role on another machine: what was last heard of it. */
function describeAway(mail: Mail, role: Role): RoleView {
  const heardOf = mail.away(role);
  const { machine = null, heard = null, isSilent = false, agent: report } = heardOf ?? {};
  const { status = "idle", task = "", updated = null, unread = 0, waitsFor = null } = heardOf ?? {};
  return {
    role,
    ...NO_PANE,
    agent: report === undefined || isSilent ? knownOnly("unknown") : describeReport(report),
    requests: [],
    isCutOff: false,
    status,
    task,
    updated,
    waitsFor,
    question: questionOf(mail, heardOf ?? {}) ?? null,
    hasAnswer: false,
    unread,
    oldest: null,
    bell: report?.bell ?? { state: "quiet" },
    braked: null,
    ritual: null,
    stalled: [],
    away: { machine, heard, isSilent },
  };
}

const NO_PANE = { tab: null, tabNumber: null, pane: null };

function describeRole(army: ArmyMail, role: Role, view: SessionView): Omit<RoleView, "requests"> {
  const { mail } = army;
  const [oldest] = mail.unread(role, { handedOut: false });
  const report = mail.agentReport(role);
  const pane = view.panes && paneOf(role, view.panes, report);
  const isCutOff = view.state !== "gone" && findAgentWithoutRelay(army, role) !== undefined;
  const said = mail.peekStatus(role);
  const { status, task, updated, waitsFor = null } = said;
  return {
    role,
    ...placeOf(role, view, pane, report),
    agent: describeAgent(report, view, pane, { isCutOff, hasRelay: hasLivingRelay(army, role) }),
    isCutOff,
    status,
    task,
    updated,
    waitsFor,
    question: questionOf(mail, said) ?? null,
    hasAnswer:
      waitsFor === "human" &&
      mail.headers(role, mail.unread(role, { handedOut: true })).some(({ from }) => from === "human"),
    unread: mail.countUnread(role),
    oldest: oldest === undefined ? null : (mail.peek(role, oldest)?.timestamp ?? null),
    bell: report?.bell ?? { state: "quiet" },
    braked: brakedMail(mail, role),
    ritual: view.rituals?.get(role) ?? null,
    stalled: report?.state === "busy" ? [] : stalledIn(mail, role),
    away: null,
  };
}

function stalledIn(mail: Mail, role: Role): RoleView["stalled"] {
  return mail
    .orders(role)
    .filter(({ told, answered }) => told?.includes(answered ? "idle" : "stalled"))
    .map(({ id, from, subject }) => ({ id, from, subject }));
}

/** What the relay reports, unless the session or the pane shows that the agent is gone. */
function describeAgent(
  report: AgentReport | undefined,
  view: SessionView,
  pane: Pane | undefined,
  { isCutOff, hasRelay }: { isCutOff: boolean; hasRelay: boolean },
): RoleView["agent"] {
  if (view.state === "gone") return knownOnly("gone");
  if (pane?.ended) return knownOnly("gone", "screen");
  // The report of an ended relay is out of date, but its agent may still be working.
  if (isCutOff) return knownOnly("unknown");
  if (report !== undefined) return describeReport(report);
  if (hasRelay) return knownOnly("unknown");
  if (view.state === "starting" || pane !== undefined) return knownOnly("starting");
  return knownOnly(view.state === "live" ? "gone" : "unknown");
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

/** In an army whose session cannot be asked, the role is where the layout puts it. */
function placeOf(role: Role, { panes }: SessionView, pane?: Pane, report?: AgentReport) {
  if (pane !== undefined) return { tab: pane.tab, tabNumber: pane.tabNumber, pane: pane.id };
  if (panes !== undefined) return NO_PANE;
  const index = FORMATION.findIndex((tab) => tab.panes.some((each) => each.role === role));
  return { tab: FORMATION[index]?.name ?? null, tabNumber: index + 1, pane: report?.pane ?? null };
}
