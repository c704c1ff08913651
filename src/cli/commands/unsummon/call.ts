/** The command-line syntax of `ovld unsummon`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { switchFlag, type Syntax } from "../../syntax.ts";

export function unsummonCommand({ docs, flags, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.UnsummonFlags>({
    docs: docs("unsummon"),
    parameters: {
      flags: {
        army: armyFlag("all"),
        all: switchFlag(flags.all),
        yes: switchFlag(flags.yes),
        force: switchFlag(flags.force),
        forget: switchFlag(flags.forget),
        everywhere: switchFlag(flags.everywhere),
      },
      aliases: { y: "yes" },
    },
    func: (given) => load<typeof Run>("unsummon").unsummon(context(), given),
  });
}
