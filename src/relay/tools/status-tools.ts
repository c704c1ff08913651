/** The tools that say what a role is doing. */
import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import { STATUSES, type AgentState } from "../../army/words.ts";
import type { AgentReport } from "../../mail/records/agent-report.ts";
import type { Status } from "../../mail/records/status.ts";
import { initialStatus } from "../../mail/store/store.ts";
import { defineTool, type ToolContext } from "./tool.ts";

export const updateStatus = defineTool({
  name: "update_status",
  description: "Say what you are doing, when work begins, blocks or ends.",
  input: z.strictObject({ status: z.enum(STATUSES), task: z.optional(z.string()) }),
  run(context, { status, task = "" }) {
    context.mail.setStatus(context.role, status, task);
    return { content: "ok" };
  },
});

export const getStatus = defineTool({
  name: "get_status",
  description:
    "See of one role, or all, what it last said (status, task), what its agent is seen to do, and how much mail it has not read.",
  input: z.strictObject({ role: z.optional(z.enum([...ROLES, "all"])) }),
  run(context, { role = "all" }) {
    const content =
      role === "all" ? ROLES.map((each) => describeRole(context, each)) : describeRole(context, role);
    return { content };
  },
});

/** What a role says about itself, and what its relay sees of its agent. */
interface RoleStatus extends Status {
  agent: { state: AgentState; since?: string; waitingFor?: string; error?: string };
  unread: number;
  /** Only if it is on another machine; when that was last heard of, if it has been silent since. */
  machine?: string;
  lastHeard?: string;
}

function describeRole({ mail, isHere }: ToolContext, role: Role): RoleStatus {
  if (isHere(role)) {
    const agent = describeAgent(mail.agentReport(role));
    return { ...mail.status(role), agent, unread: mail.countUnread(role) };
  }
  const away = mail.away(role);
  if (away === undefined) return { ...initialStatus(role), agent: { state: "unknown" }, unread: 0 };
  const { machine, heard, isSilent, status, task, updated, unread } = away;
  const known: RoleStatus = {
    role,
    status,
    task,
    updated,
    machine,
    agent: describeAgent(away.agent),
    unread,
  };
  return isSilent ? { ...known, lastHeard: heard, agent: { state: "unknown" } } : known;
}

function describeAgent(report: AgentReport | undefined): RoleStatus["agent"] {
  // No relay has started for this role yet.
  if (report === undefined) return { state: "starting" };
  const { state, evidence, since, waitingFor, failure } = report;
  // Without evidence the time is unknown: the report's time belongs to an earlier state.
  if (evidence === "none") return { state };
  if (failure !== undefined) return { state, since, error: failure.error };
  return { state, since, ...(state === "asking" && waitingFor !== undefined && { waitingFor }) };
}
