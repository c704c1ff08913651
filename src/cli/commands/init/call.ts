/** The command-line syntax of `ovld init`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { switchFlag, type Syntax } from "../../syntax.ts";

export function initCommand({ docs, flags, context, load }: Syntax) {
  return buildCommand<Run.InitFlags>({
    docs: docs("init"),
    parameters: {
      flags: { yes: switchFlag(flags.yes), force: switchFlag(flags.overwrite) },
      aliases: { y: "yes" },
    },
    func: (given) => load<typeof Run>("init").init(context(), given),
  });
}
