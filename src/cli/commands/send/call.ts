/** The command-line syntax of `ovld send`. */
import { buildCommand } from "@stricli/core";
import { ROLES, type Role } from "../../../army/roles.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag, wordFlag } from "../../tree/flags.ts";

export function sendCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<Run.SendFlags, [Role, string?]>({
    docs: describeCommand("send", texts),
    parameters: {
      flags: {
        subject: wordFlag("TEXT", flags.subject),
        urgent: switchFlag(flags.urgent),
        army: armyFlag(texts, context, load),
        json: switchFlag(flags.json),
      },
      positional: {
        kind: "tuple",
        parameters: [
          { placeholder: "ROLE", brief: places.role(ROLES.join(", ")), ...choicePlace(ROLES) },
          { placeholder: "TEXT", brief: places.text, parse: String, optional: true },
        ],
      },
    },
    func: (given, role, text) => load<typeof Run>("send").send(context(), given, role, text),
  });
}
