/** The command-line syntax of `ovld log`. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../../army/roles.ts";
import type * as Run from "./run.ts";
import { choicePlace, switchFlag, wordFlag, type Syntax } from "../../syntax.ts";

export function logCommand({ docs, flags, places, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.LogFlags, [string?]>({
    docs: docs("log"),
    parameters: {
      flags: {
        follow: switchFlag(flags.follow),
        role: { ...wordFlag("ROLE", flags.role), ...choicePlace(ROLES) },
        since: wordFlag("TIME", flags.since),
        grep: wordFlag("WORD", flags.grep),
        army: armyFlag("archived"),
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
