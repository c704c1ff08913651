/** The command-line syntax of `ovld status`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { switchFlag, type Syntax } from "../../syntax.ts";

export function statusCommand({ docs, flags, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.StatusFlags>({
    docs: docs("status"),
    parameters: {
      flags: {
        army: armyFlag(),
        all: switchFlag(flags.all),
        watch: switchFlag(flags.watch),
        json: switchFlag(flags.json),
        floating: { ...switchFlag(flags.floating), hidden: true },
      },
    },
    func: (given) => load<typeof Run>("status").status(context(), given),
  });
}
