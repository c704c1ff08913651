/** The command-line syntax of `ovld log`. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../../army/roles.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag, wordFlag } from "../../tree/flags.ts";

export function logCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<Run.LogFlags, [string?]>({
    docs: describeCommand("log", texts),
    parameters: {
      flags: {
        follow: switchFlag(flags.follow),
        role: { ...wordFlag("ROLE", flags.role), ...choicePlace(ROLES) },
        since: wordFlag("TIME", flags.since),
        grep: wordFlag("WORD", flags.grep),
        army: armyFlag(texts, context, load, "archived"),
        json: switchFlag(flags.jsonLines),
      },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "ID", brief: places.messageId, parse: String, optional: true }],
      },
    },
    func: (given, id) => load<typeof Run>("log").log(context(), given, id),
  });
}
