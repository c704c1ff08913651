/** The command-line syntax of `ovld restart`. */
import { buildCommand } from "@stricli/core";
import { ROLES, type Role } from "../../../army/roles.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag } from "../../tree/flags.ts";

export function restartCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const brief = texts.places.role(ROLES.join(", "));
  return buildCommand<Run.RestartFlags, Role[]>({
    docs: describeCommand("restart", texts),
    parameters: {
      flags: { army: armyFlag(texts, context, load), json: switchFlag(texts.flags.json) },
      positional: {
        kind: "array",
        minimum: 1,
        parameter: { placeholder: "ROLE", brief, ...choicePlace(ROLES) },
      },
    },
    func: (given, ...roles) => load<typeof Run>("restart").restart(context(), given, roles),
  });
}
