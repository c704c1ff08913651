/** Whether a usage limit that one agent hit still keeps this role from being rung. Pure. */
import { ROLES, type Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/agent-report.ts";
import { BETWEEN_ROLES_AFTER_LIMIT_MS } from "./timings.ts";

/** `isGenuine` checks the relay that wrote a report, so that a forged one cannot silence the whole army. */
export function isLimited(
  role: Role,
  reportOf: (role: Role) => AgentReport | undefined,
  isGenuine: (report: AgentReport) => boolean,
  now: number,
): boolean {
  return ROLES.some((each) => {
    const report = reportOf(each);
    const until = report?.state === "failed" ? report.failure?.until : undefined;
    if (report === undefined || until === undefined) return false;
    return now < Date.parse(until) + ROLES.indexOf(role) * BETWEEN_ROLES_AFTER_LIMIT_MS && isGenuine(report);
  });
}
