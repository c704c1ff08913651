/** The command-line syntax of `ovld init`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { switchFlag } from "../../tree/flags.ts";

export function initCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<Run.InitFlags>({
    docs: describeCommand("init", texts),
    parameters: {
      flags: { yes: switchFlag(flags.yes), force: switchFlag(flags.overwrite) },
      aliases: { y: "yes" },
    },
    func: (given) => load<typeof Run>("init").init(context(), given),
  });
}
