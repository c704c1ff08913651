/** How `ovld insight` is written on the command line. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { InsightAction, InsightFlags } from "../commands/insight.ts";
import type { CommandContext } from "../command-context.ts";
import { choicePlace } from "./choice.ts";
import { describeCommand } from "./describe-command.ts";
import { switchFlag } from "./flags.ts";

const ACTIONS = ["show", "forget"] as const satisfies readonly InsightAction[];

export function insightCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  const proposeCompletions = (partial: string): string[] =>
    load("insight")
      .noteNames(context())
      .filter((name) => name.startsWith(partial));
  return buildCommand<InsightFlags, [InsightAction?, string?]>({
    docs: describeCommand("insight", texts),
    parameters: {
      flags: { force: switchFlag(flags.force), json: switchFlag(flags.json) },
      positional: {
        kind: "tuple",
        parameters: [
          { placeholder: "ACTION", brief: places.insightAction, optional: true, ...choicePlace(ACTIONS) },
          { placeholder: "NAME", brief: places.note, optional: true, parse: String, proposeCompletions },
        ],
      },
    },
    func: (given, action, name) => load("insight").insight(context(), given, action, name),
  });
}
