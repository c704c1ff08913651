/** How `ovld log` is written on the command line. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../army/roles.ts";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { LogFlags } from "../commands/log.ts";
import type { CommandContext } from "../command-context.ts";
import { choicePlace } from "./choice.ts";
import { describeCommand } from "./describe-command.ts";
import { sessionFlag, switchFlag, wordFlag } from "./flags.ts";

export function logCommand(texts: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<LogFlags, [string?]>({
    docs: describeCommand("log", texts),
    parameters: {
      flags: {
        follow: switchFlag(flags.follow),
        role: { ...wordFlag("ROLE", flags.role), ...choicePlace(ROLES) },
        since: wordFlag("TIME", flags.since),
        grep: wordFlag("WORD", flags.grep),
        session: sessionFlag(texts, context, load),
        json: switchFlag(flags.jsonLines),
      },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "ID", brief: places.messageId, parse: String, optional: true }],
      },
    },
    func: (given, id) => load("log").log(context(), given, id),
  });
}
