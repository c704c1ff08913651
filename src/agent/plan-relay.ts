/** The command by which a role's agent starts its relay, with everything that the relay has to know. Pure. */
import { MOST_MAIL } from "../army/mail-limits.ts";
import { otherRoles, type Role } from "../army/roles.ts";
import { LIMITS_VARIABLE, printLimits } from "../config/limits-variable.ts";
import { HUB_VARIABLE, printKeys, SUMMONED } from "../config/relay-settings.ts";
import { sealKey } from "../mail/seal.ts";
import type { RoleSecrets } from "../mail/secrets.ts";
import type { RelayCommand } from "./agent-program.ts";
import type { ArmyPlan } from "./army-files.ts";

export function planRelay(plan: ArmyPlan, role: Role): RelayCommand {
  const {
    ovld,
    relayDir,
    session,
    insightDir,
    zellij,
    wake,
    focus = true,
    carry = true,
    desk,
    limits = MOST_MAIL,
    secrets,
    part,
  } = plan;
  const identity = { OVLD_ROLE: role, OVLD_RELAY_DIR: relayDir, OVLD_SESSION: session };
  const notes = insightDir !== undefined && { OVLD_INSIGHT_DIR: insightDir };
  const summoned = {
    [SUMMONED.secret]: secrets[role],
    [SUMMONED.keys]: printKeys(keysOf(secrets, role)),
    [SUMMONED.zellij]: zellij,
    [SUMMONED.wake]: wake,
    ...(!focus && { [SUMMONED.focus]: "off" }),
    ...(!carry && { [SUMMONED.carry]: "off" }),
    ...(desk?.answer === false && { [SUMMONED.answer]: "off" }),
    ...(desk?.notify === false && { [SUMMONED.notify]: "off" }),
  };
  return {
    command: ovld.node,
    args: [ovld.file, "relay"],
    env: {
      ...identity,
      ...notes,
      ...summoned,
      [LIMITS_VARIABLE]: printLimits(limits),
      ...(part && { [HUB_VARIABLE]: part.hubFile }),
    },
  };
}

/** The keys with which a role seals its mail to each of the others. */
function keysOf(secrets: RoleSecrets, from: Role): Partial<Record<Role, string>> {
  return Object.fromEntries(otherRoles(from).map((to) => [to, sealKey(secrets[to], from)]));
}
