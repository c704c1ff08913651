/** The command-line syntax of `ovld insight`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { choicePlace, offering, switchFlag, type Syntax } from "../../syntax.ts";

const ACTIONS = ["show"] as const;

export function insightCommand({ docs, flags, places, context, load }: Syntax) {
  const proposeCompletions = offering(() => load<typeof Run>("insight").noteNames(context()));
  return buildCommand<Run.InsightFlags, ["show"?, string?]>({
    docs: docs("insight"),
    parameters: {
      flags: { json: switchFlag(flags.json) },
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
