/** The command-line syntax of `ovld armies`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { switchFlag } from "../../tree/flags.ts";

export function armiesCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  const proposeCompletions = (partial: string): string[] =>
    load<typeof Run>("armies")
      .wordsToOffer(context())
      .filter((word) => word.startsWith(partial));
  return buildCommand<Run.ArmiesFlags, string[]>({
    docs: describeCommand("armies", texts),
    parameters: {
      flags: { yes: switchFlag(flags.yes), json: switchFlag(flags.json) },
      aliases: { y: "yes" },
      positional: {
        kind: "array",
        parameter: { placeholder: "WORD", brief: places.armiesAction, parse: String, proposeCompletions },
      },
    },
    func: (given, ...words) => load<typeof Run>("armies").armies(context(), given, words),
  });
}
