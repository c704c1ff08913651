/** The command-line syntax of `ovld doctor`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { switchFlag, type Syntax } from "../../syntax.ts";

export function doctorCommand({ docs, flags, context, load }: Syntax) {
  return buildCommand<Run.DoctorFlags>({
    docs: docs("doctor"),
    parameters: { flags: { json: switchFlag(flags.json) } },
    func: (given) => load<typeof Run>("doctor").doctor(context(), given),
  });
}
