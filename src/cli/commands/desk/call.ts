/** The command-line syntax of `ovld desk`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag, wordFlag } from "../../tree/flags.ts";

export function deskCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<Run.DeskFlags>({
    docs: describeCommand("desk", texts),
    parameters: {
      flags: {
        army: armyFlag(texts, context, load),
        port: wordFlag("PORT", flags.port),
        noOpen: switchFlag(flags.noOpen),
        export: wordFlag("FILE", flags.export),
        noBodies: switchFlag(flags.noBodies),
        json: switchFlag(flags.json),
      },
    },
    func: (given) => load<typeof Run>("desk").desk(context(), given),
  });
}
