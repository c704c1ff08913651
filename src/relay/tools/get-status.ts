import * as z from "zod/mini";
import { ROLES, type Role } from "../../army/roles.ts";
import type { AgentState } from "../../army/words.ts";
import type { Mail } from "../../mail/mail.ts";
import type { Status } from "../../mail/status.ts";
import { defineTool } from "./tool.ts";

/** What a role says about itself, and what its relay sees of its agent. */
interface RoleStatus extends Status {
  agent: { state: AgentState; since?: string; waitingFor?: string; error?: string };
  unread: number;
}

export const getStatus = defineTool({
  name: "get_status",
  description:
    "See of one role, or all, what it last said (status, task), what its agent is seen to do, and how much mail it has not read.",
  input: z.strictObject({ role: z.optional(z.enum([...ROLES, "all"])) }),
  run({ mail }, { role = "all" }) {
    return { content: role === "all" ? ROLES.map((each) => tellRole(mail, each)) : tellRole(mail, role) };
  },
});

function tellRole(mail: Mail, role: Role): RoleStatus {
  return { ...mail.status(role), agent: tellAgent(mail, role), unread: mail.countUnread(role) };
}

function tellAgent(mail: Mail, role: Role): RoleStatus["agent"] {
  const report = mail.agentReport(role);
  // No relay has started for this role yet.
  if (report === undefined) return { state: "starting" };
  const { state, evidence, since, waitingFor, failure } = report;
  // Without evidence the time is unknown: the report's time belongs to an earlier state.
  if (evidence === "none") return { state };
  if (failure !== undefined) return { state, since, error: failure.error };
  return { state, since, ...(state === "asking" && waitingFor !== undefined && { waitingFor }) };
}
