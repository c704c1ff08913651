/** The command-line syntax of `ovld completion`. */
import type * as Run from "./run.ts";
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import { SHELLS, type Shell } from "./shells.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";

export function completionCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  return buildCommand<object, [Shell]>({
    docs: describeCommand("completion", texts),
    parameters: {
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "SHELL", brief: texts.places.shell, ...choicePlace(SHELLS) }],
      },
    },
    func: (_given, shell) => load<typeof Run>("completion").completion(context(), shell),
  });
}
