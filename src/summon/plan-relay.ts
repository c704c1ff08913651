/** The command by which a role's agent starts its relay, with everything that the relay has to know. */
import { MOST_MAIL } from "../army/words.ts";
import type { Role } from "../army/roles.ts";
import { LIMITS_VARIABLE, formatLimits, HUB_VARIABLE, SUMMONED } from "../config/relay-settings.ts";
import type { RelayCommand } from "../agent/agent-program.ts";
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
      [LIMITS_VARIABLE]: formatLimits(limits),
      ...(part && { [HUB_VARIABLE]: part.hubFile }),
    },
  };
}

/** One for each role: it proves to a role's relay that a call comes from its agent's hooks. */
export type RoleSecrets = Readonly<Record<Role, string>>;

const SECRET_BYTES = 32;

export function makeSecrets(make: () => string = makeSecret): RoleSecrets {
  return {
    overlord: make(),
    strategist: make(),
    inferno: make(),
    glacier: make(),
    shadow: make(),
    storm: make(),
  };
}

function makeSecret(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(SECRET_BYTES).toString("base64url");
}
