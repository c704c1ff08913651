/** What a role's relay may do in its army: whether it is the one that rings, and whether a usage limit holds the bells. */
import type { AgentReport } from "../mail/agent-report.ts";
import { isLimited } from "./army-limit.ts";
import type { BellLoopOptions } from "./bell-loop-options.ts";
import { isEldestRelay } from "./eldest-relay.ts";

export interface ArmyDuty {
  isInCharge(): boolean;
  isLimited(): boolean;
}

export function dutyOf({
  role,
  mail,
  identity,
  isRelay,
  timeOfDay,
}: Pick<BellLoopOptions, "role" | "mail" | "identity" | "isRelay" | "timeOfDay">): ArmyDuty {
  const isGenuine = ({ relay, role: of }: AgentReport): boolean =>
    relay === identity.relay || isRelay(relay, of);
  return {
    isInCharge: () => isEldestRelay(mail.presences(), role, identity.relay, isRelay),
    isLimited: () => isLimited(role, (each) => mail.agentReport(each), isGenuine, timeOfDay()),
  };
}
