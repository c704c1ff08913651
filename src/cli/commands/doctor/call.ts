/** The command-line syntax of `ovld doctor`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { switchFlag } from "../../tree/flags.ts";

export function doctorCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  return buildCommand<Run.DoctorFlags>({
    docs: describeCommand("doctor", texts),
    parameters: { flags: { json: switchFlag(texts.flags.json) } },
    func: (given) => load<typeof Run>("doctor").doctor(context(), given),
  });
}
