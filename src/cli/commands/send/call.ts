/** The command-line syntax of `ovld send`. */
import { buildCommand } from "@stricli/core";
import type { Role } from "../../../army/roles.ts";
import type * as Run from "./run.ts";
import { switchFlag, wordFlag, type Syntax } from "../../syntax.ts";

export function sendCommand({ docs, flags, places, rolePlace, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.SendFlags, [Role, string?]>({
    docs: docs("send"),
    parameters: {
      flags: {
        subject: wordFlag("TEXT", flags.subject),
        urgent: switchFlag(flags.urgent),
        army: armyFlag(),
        json: switchFlag(flags.json),
      },
      positional: {
        kind: "tuple",
        parameters: [rolePlace, { placeholder: "TEXT", brief: places.text, parse: String, optional: true }],
      },
    },
    func: (given, role, text) => load<typeof Run>("send").send(context(), given, role, text),
  });
}
