/** How `ovld status` is written on the command line. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { StatusFlags } from "../commands/status.ts";
import type { CommandContext } from "../command-context.ts";
import { describeCommand } from "./describe-command.ts";
import { sessionFlag, switchFlag } from "./flags.ts";

export function statusCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<StatusFlags>({
    docs: describeCommand("status", texts),
    parameters: {
      flags: {
        session: sessionFlag(texts, context, load),
        all: switchFlag(flags.all),
        watch: switchFlag(flags.watch),
        json: switchFlag(flags.json),
      },
    },
    func: (given) => load("status").status(context(), given),
  });
}
