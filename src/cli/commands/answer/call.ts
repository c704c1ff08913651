/** The command-line syntax of `ovld answer`. */
import { buildCommand } from "@stricli/core";
import { ROLES, type Role } from "../../../army/roles.ts";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { choicePlace } from "../../tree/choice.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { armyFlag, switchFlag, wordFlag } from "../../tree/flags.ts";

const VERDICTS = ["allow", "deny"] as const;

export function answerCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<Run.AnswerFlags, [Role?, ("allow" | "deny")?]>({
    docs: describeCommand("answer", texts),
    parameters: {
      flags: {
        why: wordFlag("TEXT", flags.why),
        choose: { ...wordFlag("N", flags.choose), variadic: true },
        text: wordFlag("TEXT", flags.answerText),
        request: wordFlag("ID", flags.request),
        army: armyFlag(texts, context, load),
        json: switchFlag(flags.json),
      },
      positional: {
        kind: "tuple",
        parameters: [
          {
            placeholder: "ROLE",
            brief: places.role(ROLES.join(", ")),
            optional: true,
            ...choicePlace(ROLES),
          },
          {
            placeholder: "allow|deny",
            brief: places.verdict,
            optional: true,
            ...choicePlace(VERDICTS),
          },
        ],
      },
    },
    func: (given, role, verdict) => load<typeof Run>("answer").answer(context(), given, role, verdict),
  });
}
