/** An agent that is running although its relay has ended: mail does not reach it, and no relay rings it. */
import { isAgentOf, isRelayOf } from "../agent/army-process.ts";
import type { Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/agent-report.ts";
import type { ArmyMail } from "./mail-of-army.ts";

type Mail = Pick<ArmyMail, "mail" | "relayDir">;

/** The last report of the ended relay; undefined if the role still has its relay. */
export function findCutOff(army: Mail, role: Role): AgentReport | undefined {
  const { mail, relayDir } = army;
  const report = mail.agentReport(role);
  if (report?.agent === undefined || !isAgentOf(report.agent, { relayDir, role })) return undefined;
  return isRelayOf(report.relay, { relayDir, role }) || hasLivingRelay(army, role) ? undefined : report;
}

/** Whether a relay of the role is alive, even one that has not reported yet. */
export function hasLivingRelay({ mail, relayDir }: Mail, role: Role): boolean {
  return mail
    .presences()
    .some((presence) => presence.role === role && isRelayOf(presence.relay, { relayDir, role }));
}
