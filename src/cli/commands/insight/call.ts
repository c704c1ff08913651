/** The command-line syntax of `ovld insight`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { switchFlag } from "../../tree/flags.ts";

const ACTIONS = ["show", "forget"] as const satisfies readonly Run.InsightAction[];

export function insightCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  const proposeCompletions = (partial: string): string[] =>
    load<typeof Run>("insight")
      .noteNames(context())
      .filter((name) => name.startsWith(partial));
  return buildCommand<Run.InsightFlags, [Run.InsightAction?, string?]>({
    docs: describeCommand("insight", texts),
    parameters: {
      flags: { yes: switchFlag(flags.yes), json: switchFlag(flags.json) },
      aliases: { y: "yes" },
      positional: {
        kind: "tuple",
        parameters: [
          { placeholder: "ACTION", brief: places.insightAction, optional: true, ...choicePlace(ACTIONS) },
          { placeholder: "NAME", brief: places.note, optional: true, parse: String, proposeCompletions },
        ],
      },
    },
    func: (given, action, name) => load<typeof Run>("insight").insight(context(), given, action, name),
  });
}
