/** An agent that is running although its relay has ended: mail does not reach it, and no relay rings it. */
import { isProcessAlive } from "../system/process.ts";
import type { Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/records/agent-report.ts";
import type { ArmyMail } from "./mail-of-army.ts";

type Mail = Pick<ArmyMail, "mail" | "relayDir">;

/** The last report of the ended relay; undefined if the role still has its relay. */
export function findCutOff(army: Mail, role: Role): AgentReport | undefined {
  const report = army.mail.agentReport(role);
  if (report?.agent === undefined || !isProcessAlive(report.agent)) return undefined;
  return isProcessAlive(report.relay) || hasLivingRelay(army, role) ? undefined : report;
}

/** Whether a relay of the role is alive, even one that has not reported yet. */
export function hasLivingRelay({ mail }: Mail, role: Role): boolean {
  return mail.presences().some((presence) => presence.role === role && isProcessAlive(presence.relay));
}
