/** The command-line syntax of `ovld join`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { switchFlag, type Syntax } from "../../../cli/syntax.ts";

export function joinCommand({ docs, flags, places, context, load }: Syntax) {
  return buildCommand<Run.JoinFlags, [string]>({
    docs: docs("join"),
    parameters: {
      flags: { json: switchFlag(flags.json) },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "FILE", brief: places.joinFile, parse: String }],
      },
    },
    func: (given, file) => load<typeof Run>("join").join(context(), given, file),
  });
}
