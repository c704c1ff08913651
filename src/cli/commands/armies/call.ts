/** The command-line syntax of `ovld armies`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { offering, switchFlag, type Syntax } from "../../syntax.ts";

export function armiesCommand({ docs, flags, places, context, load }: Syntax) {
  const proposeCompletions = offering(() => load<typeof Run>("armies").wordsToOffer(context()));
  return buildCommand<Run.ArmiesFlags, string[]>({
    docs: docs("armies"),
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
