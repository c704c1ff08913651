/** The command-line syntax of `ovld status`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag } from "../../tree/flags.ts";

export function statusCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<Run.StatusFlags>({
    docs: describeCommand("status", texts),
    parameters: {
      flags: {
        army: armyFlag(texts, context, load),
        all: switchFlag(flags.all),
        watch: switchFlag(flags.watch),
        json: switchFlag(flags.json),
        floating: { ...switchFlag(flags.floating), hidden: true },
      },
    },
    func: (given) => load<typeof Run>("status").status(context(), given),
  });
}
