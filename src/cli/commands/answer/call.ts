/** The command-line syntax of `ovld answer`. */
import { buildCommand } from "@stricli/core";
import type { Role } from "../../../army/roles.ts";
import type * as Run from "./run.ts";
import { choicePlace, switchFlag, wordFlag, type Syntax } from "../../syntax.ts";

const VERDICTS = ["allow", "deny"] as const;

export function answerCommand({ docs, flags, places, rolePlace, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.AnswerFlags, [Role?, ("allow" | "deny")?]>({
    docs: docs("answer"),
    parameters: {
      flags: {
        why: wordFlag("TEXT", flags.why),
        choose: { ...wordFlag("N", flags.choose), variadic: true },
        text: wordFlag("TEXT", flags.answerText),
        request: wordFlag("ID", flags.request),
        army: armyFlag(),
        json: switchFlag(flags.json),
      },
      positional: {
        kind: "tuple",
        parameters: [
          { ...rolePlace, optional: true },
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
