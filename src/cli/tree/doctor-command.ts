/** How `ovld doctor` is written on the command line. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { DoctorFlags } from "../commands/doctor.ts";
import type { CommandContext } from "../command-context.ts";
import { describeCommand } from "./describe-command.ts";
import { switchFlag } from "./flags.ts";

export function doctorCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  return buildCommand<DoctorFlags>({
    docs: describeCommand("doctor", texts),
    parameters: { flags: { json: switchFlag(texts.flags.json) } },
    func: (given) => load("doctor").doctor(context(), given),
  });
}
