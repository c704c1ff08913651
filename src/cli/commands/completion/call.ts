/** The command-line syntax of `ovld completion`. */
import type * as Run from "./run.ts";
import { buildCommand } from "@stricli/core";
import { choicePlace, type Syntax } from "../../syntax.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof SHELLS)[number];

export function completionCommand({ docs, places, context, load }: Syntax) {
  return buildCommand<object, [Shell]>({
    docs: docs("completion"),
    parameters: {
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "SHELL", brief: places.shell, ...choicePlace(SHELLS) }],
      },
    },
    func: (_given, shell) => load<typeof Run>("completion").completion(context(), shell),
  });
}
