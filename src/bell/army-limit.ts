/** Whether a usage limit that one agent hit still keeps this role from being rung. Pure. */
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/agent-report.ts";

/** The agents share one account, so they resume one after another rather than hitting the limit together again. */
const STEP_MS = 5_000;

export function isLimited(
  role: Role,
  reportOf: (role: Role) => AgentReport | undefined,
  now: number,
): boolean {
  return ROLES.some((each) => {
    const report = reportOf(each);
    const until = report?.state === "failed" ? report.failure?.until : undefined;
    return until !== undefined && now < Date.parse(until) + ROLES.indexOf(role) * STEP_MS;
  });
}
