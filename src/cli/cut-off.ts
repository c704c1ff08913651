/** An agent that runs although its relay has ended: mail does not reach it, and nobody rings it by itself. */
import type { Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/agent-report.ts";
import type { Mail } from "../mail/mail.ts";
import { isProcessAlive } from "../system/process-identity.ts";

/** The last word of the relay that has ended; undefined where the role is not cut off. */
export function findCutOff(mail: Mail, role: Role): AgentReport | undefined {
  const report = mail.agentReport(role);
  if (report?.agent === undefined || !isProcessAlive(report.agent)) return undefined;
  return isProcessAlive(report.relay) || hasLivingRelay(mail, role) ? undefined : report;
}

/** Whether a relay of the role lives, be it one that has not reported yet. */
export function hasLivingRelay(mail: Mail, role: Role): boolean {
  return mail.presences().some((presence) => presence.role === role && isProcessAlive(presence.relay));
}
