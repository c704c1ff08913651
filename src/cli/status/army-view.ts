/** All that is known of an army just now, gathered by looking alone; what `ovld status --json` prints. */
import type { AgentName } from "../../army/agent-names.ts";
import { FORMATION } from "../../army/formation.ts";
import type { Role } from "../../army/roles.ts";
import type { AgentReport, AgentState, BellReport, Evidence } from "../../mail/agent-report.ts";
import type { Mail } from "../../mail/mail.ts";
import type { StatusWord } from "../../mail/status.ts";
import type { RitualSight } from "../../rituals/look-at-ritual.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";
import { isProcessAlive } from "../../system/process-identity.ts";
import type { Pane } from "../../zellij/panes.ts";

/** Gone: no session of that name. Unknown: Zellij could not be asked. */
type SessionSight = "live" | "starting" | "gone" | "unknown";

export interface RoleView {
  role: Role;
  tab: string;
  /** The tab's place in the session, from 1. */
  tabNumber: number;
  pane: number | null;
  agent: { state: AgentState; since: string | null; evidence: Evidence; waitingFor: string | null };
  status: StatusWord;
  task: string;
  updated: string | null;
  unread: number;
  /** When the oldest unread message was sent. */
  oldest: string | null;
  bell: BellReport;
  /** What it waits for with its ritual; null if it has one or needs none. */
  ritual: RitualSight | null;
}

export interface ArmyView {
  session: string;
  relayDir: string;
  /** The folder it works in, and what its panes run; null where nobody wrote it down. */
  folder: string | null;
  agent: AgentName | null;
  summoned: string | null;
  state: SessionSight;
  trouble: ErrorReport | null;
  roles: RoleView[];
}

export interface SessionLook {
  state: SessionSight;
  /** Undefined where Zellij was not asked or did not answer. */
  panes: Pane[] | undefined;
  /** The roles that have no ritual yet, and why. */
  rituals?: ReadonlyMap<Role, RitualSight>;
}

export function viewArmy(
  { session, relayDir, mail }: { session: string; relayDir: string; mail: Mail },
  look: SessionLook,
): ArmyView {
  const roles = FORMATION.flatMap((tab, index) =>
    tab.panes.map(({ role }) => ({ ...viewRole(mail, role, look), tab: tab.name, tabNumber: index + 1 })),
  );
  const { folder = null, agent = null, summoned = null } = mail.army() ?? {};
  const army = { session, relayDir, folder, agent, summoned };
  return { ...army, state: look.state, trouble: mail.trouble() ?? null, roles };
}

function viewRole(mail: Mail, role: Role, look: SessionLook): Omit<RoleView, "tab" | "tabNumber"> {
  const { status, task, updated } = mail.peekStatus(role);
  const [oldestId] = mail.unread(role, { handedOut: false });
  const oldest = oldestId === undefined ? undefined : mail.peek(role, oldestId);
  const pane = look.panes?.find(({ name }) => name === role);
  const report = mail.agentReport(role);
  return {
    role,
    pane: pane?.id ?? report?.pane ?? null,
    agent: viewAgent(report, look, pane, () => hasLivingRelay(mail, role)),
    status,
    task,
    updated,
    unread: mail.countUnread(role),
    oldest: oldest?.timestamp ?? null,
    bell: report?.bell ?? { bell: "quiet" },
    ritual: look.rituals?.get(role) ?? null,
  };
}

/** The relay's word, unless the session or the pane says that there is no agent any more. */
function viewAgent(
  report: AgentReport | undefined,
  look: SessionLook,
  pane: Pane | undefined,
  hasRelay: () => boolean,
): RoleView["agent"] {
  const nothing = { since: null, evidence: "none", waitingFor: null } as const;
  if (look.state === "gone") return { state: "gone", ...nothing };
  if (pane?.ended) return { state: "gone", ...nothing, evidence: "screen" };
  if (report !== undefined) {
    const { state, since, evidence, waitingFor = null } = report;
    return { state, since, evidence, waitingFor };
  }
  if (hasRelay()) return { state: "unknown", ...nothing };
  if (look.state === "starting" || pane !== undefined) return { state: "starting", ...nothing };
  return { state: look.state === "live" ? "gone" : "unknown", ...nothing };
}

function hasLivingRelay(mail: Mail, role: Role): boolean {
  return mail.presences().some((presence) => presence.role === role && isProcessAlive(presence.relay));
}
