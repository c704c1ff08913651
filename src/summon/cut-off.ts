/** An agent that runs although its relay has ended: mail does not reach it, and nobody rings it by itself. */
import { isAgentOf, isRelayOf } from "../agent/army-process.ts";
import type { Role } from "../army/roles.ts";
import type { AgentReport } from "../mail/agent-report.ts";
import type { ArmyMail } from "./mail-of-army.ts";

type Mail = Pick<ArmyMail, "mail" | "relayDir">;

/** The last word of the relay that has ended; undefined where the role is not cut off. */
export function findCutOff(army: Mail, role: Role): AgentReport | undefined {
  const { mail, relayDir } = army;
  const report = mail.agentReport(role);
  if (report?.agent === undefined || !isAgentOf(report.agent, { relayDir, role })) return undefined;
  return isRelayOf(report.relay, { relayDir, role }) || hasLivingRelay(army, role) ? undefined : report;
}

/** Whether a relay of the role lives, be it one that has not reported yet. */
export function hasLivingRelay({ mail, relayDir }: Mail, role: Role): boolean {
  return mail
    .presences()
    .some((presence) => presence.role === role && isRelayOf(presence.relay, { relayDir, role }));
}
