/** The command-line syntax of `ovld restart` and `ovld continue`. */
import { buildCommand } from "@stricli/core";
import { ROLES, type Role } from "../../../army/roles.ts";
import type * as Run from "./run.ts";
import { switchFlag, type Syntax } from "../../syntax.ts";

export function restartCommand({ docs, flags, rolePlace, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.RestartFlags, Role[]>({
    docs: docs("restart"),
    parameters: {
      flags: { army: armyFlag(), json: switchFlag(flags.json) },
      positional: {
        kind: "array",
        minimum: 1,
        parameter: rolePlace,
      },
    },
    func: (given, ...roles) => load<typeof Run>("restart").restart(context(), given, roles),
  });
}

export function continueCommand({ docs, flags, rolePlace, armyFlag, context, load }: Syntax) {
  const brief = flags.ritualRoles(ROLES.join(", "));
  return buildCommand<Run.RestartFlags, Role[]>({
    docs: docs("continue"),
    parameters: {
      flags: { army: armyFlag(), json: switchFlag(flags.json) },
      positional: { kind: "array", parameter: { ...rolePlace, brief } },
    },
    func: (given, ...roles) => load<typeof Run>("restart").continueAgents(context(), given, roles),
  });
}
