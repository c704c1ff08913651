/** The command-line syntax of `ovld ritual`. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../../army/roles.ts";
import type * as Run from "./run.ts";
import type { Syntax } from "../../syntax.ts";

export function ritualCommand({ docs, flags, rolePlace, armyFlag, context, load }: Syntax) {
  const brief = flags.ritualRoles(ROLES.join(", "));
  return buildCommand<Run.RitualCommandFlags, string[]>({
    docs: docs("ritual"),
    parameters: {
      flags: { army: armyFlag() },
      positional: {
        kind: "array",
        parameter: { ...rolePlace, brief, parse: String },
      },
    },
    func: (given, ...roles) => load<typeof Run>("ritual").ritual(context(), given, roles),
  });
}
