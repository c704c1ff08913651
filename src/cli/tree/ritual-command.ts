/** How `ovld ritual` is written on the command line. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../army/roles.ts";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { RitualCommandFlags } from "../commands/ritual.ts";
import type { CommandContext } from "../command-context.ts";
import { choicePlace } from "./choice.ts";
import { describeCommand } from "./describe-command.ts";
import { sessionFlag } from "./flags.ts";

export function ritualCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const brief = texts.flags.ritualRoles(ROLES.join(", "));
  return buildCommand<RitualCommandFlags, string[]>({
    docs: describeCommand("ritual", texts),
    parameters: {
      flags: { session: sessionFlag(texts, context, load) },
      positional: {
        kind: "array",
        parameter: { ...choicePlace(ROLES), placeholder: "ROLE", brief, parse: String },
      },
    },
    func: (given, ...roles) => load("ritual").ritual(context(), given, roles),
  });
}
