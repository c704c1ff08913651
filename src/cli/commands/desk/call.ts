/** The command-line syntax of `ovld desk`. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import { switchFlag, wordFlag, type Syntax } from "../../syntax.ts";

export function deskCommand({ docs, flags, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.DeskFlags>({
    docs: docs("desk"),
    parameters: {
      flags: {
        army: armyFlag(),
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
