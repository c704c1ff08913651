/** How `ovld completion` is written on the command line. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import { SHELLS, type Shell } from "../shells.ts";
import type { CommandContext } from "../command-context.ts";
import { choicePlace } from "./choice.ts";
import { describeCommand } from "./describe-command.ts";

export function completionCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  return buildCommand<object, [Shell]>({
    docs: describeCommand("completion", texts),
    parameters: {
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "SHELL", brief: texts.places.shell, ...choicePlace(SHELLS) }],
      },
    },
    func: (_given, shell) => load("completion").completion(context(), shell),
  });
}
