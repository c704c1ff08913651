/** The command-line syntax of `ovld join`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../../cli/load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../../cli/tree/describe-command.ts";
import { switchFlag } from "../../../cli/tree/flags.ts";

export function joinCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<Run.JoinFlags, [string]>({
    docs: describeCommand("join", texts),
    parameters: {
      flags: { json: switchFlag(flags.json) },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "FILE", brief: places.joinFile, parse: String }],
      },
    },
    func: (given, file) => load<typeof Run>("join").join(context(), given, file),
  });
}
