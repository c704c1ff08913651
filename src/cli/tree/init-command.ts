/** How `ovld init` is written on the command line. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { InitFlags } from "../commands/init.ts";
import type { CommandContext } from "../command-context.ts";
import { describeCommand } from "./describe-command.ts";
import { switchFlag } from "./flags.ts";

export function initCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags } = texts;
  return buildCommand<InitFlags>({
    docs: describeCommand("init", texts),
    parameters: { flags: { force: switchFlag(flags.overwrite) } },
    func: (given) => load("init").init(context(), given),
  });
}
