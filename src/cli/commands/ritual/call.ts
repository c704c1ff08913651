/** The command-line syntax of `ovld ritual`. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../../army/roles.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag } from "../../tree/flags.ts";

export function ritualCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const brief = texts.flags.ritualRoles(ROLES.join(", "));
  return buildCommand<Run.RitualCommandFlags, string[]>({
    docs: describeCommand("ritual", texts),
    parameters: {
      flags: { army: armyFlag(texts, context, load) },
      positional: {
        kind: "array",
        parameter: { ...choicePlace(ROLES), placeholder: "ROLE", brief, parse: String },
      },
    },
    func: (given, ...roles) => load<typeof Run>("ritual").ritual(context(), given, roles),
  });
}
