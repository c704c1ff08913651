/** The command-line syntax of `ovld unsummon`. */
import { buildCommand } from "@stricli/core";
import type { CommandContext } from "../../../command/command-context.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag } from "../../tree/flags.ts";

export function unsummonCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<Run.UnsummonFlags>({
    docs: describeCommand("unsummon", texts),
    parameters: {
      flags: {
        army: armyFlag(texts, context, load, "all"),
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
