import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import type { AgentState } from "../../army/words.ts";
import type { Mail } from "../../mail/mail.ts";
import type { AgentReport } from "../../mail/records/agent-report.ts";
import type { Away } from "../../mail/records/away.ts";
import { initialStatus, type Status } from "../../mail/records/status.ts";
import { defineTool, type ToolContext } from "./tool.ts";

/** What a role says about itself, and what its relay sees of its agent. */
interface RoleStatus extends Status {
  agent: { state: AgentState; since?: string; waitingFor?: string; error?: string };
  unread: number;
  /** Only if it is on another machine; when that was last heard of, if it has been silent since. */
  machine?: string;
  lastHeard?: string;
}

export const getStatus = defineTool({
  name: "get_status",
  description:
    "See of one role, or all, what it last said (status, task), what its agent is seen to do, and how much mail it has not read.",
  input: z.strictObject({ role: z.optional(z.enum([...ROLES, "all"])) }),
  run(context, { role = "all" }) {
    return {
      content: role === "all" ? ROLES.map((each) => tellRole(context, each)) : tellRole(context, role),
    };
  },
});

function tellRole({ mail, isHere }: ToolContext, role: Role): RoleStatus {
  if (!isHere(role)) return tellAway(mail.away(role), role);
  return { ...mail.status(role), agent: tellAgent(mail, role), unread: mail.countUnread(role) };
}

/** A role on another machine: what was last heard of it. */
function tellAway(away: Away | undefined, role: Role): RoleStatus {
  if (away === undefined) return { ...initialStatus(role), agent: { state: "unknown" }, unread: 0 };
  const { machine, heard, isSilent, status, task, updated, unread, agent } = away;
  const told: RoleStatus = { role, status, task, updated, machine, agent: tellReport(agent), unread };
  return isSilent ? { ...told, lastHeard: heard, agent: { state: "unknown" } } : told;
}

function tellAgent(mail: Mail, role: Role): RoleStatus["agent"] {
  return tellReport(mail.agentReport(role));
}

function tellReport(report: AgentReport | undefined): RoleStatus["agent"] {
  // No relay has started for this role yet.
  if (report === undefined) return { state: "starting" };
  const { state, evidence, since, waitingFor, failure } = report;
  // Without evidence the time is unknown: the report's time belongs to an earlier state.
  if (evidence === "none") return { state };
  if (failure !== undefined) return { state, since, error: failure.error };
  return { state, since, ...(state === "asking" && waitingFor !== undefined && { waitingFor }) };
}
