/** The command-line syntax of `ovld hub`. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../../army/roles.ts";
import type * as Run from "./run.ts";
import { offering, switchFlag, wordFlag, type Syntax } from "../../../cli/syntax.ts";

const ACTIONS = ["start", "status", "stop", "doctor", "service", "requirements", "invite", "revoke"];
const proposeCompletions = offering(() => [...ACTIONS, ...ROLES]);

export function hubCommand({ docs, flags, places, armyFlag, context, load }: Syntax) {
  return buildCommand<Run.HubFlags, string[]>({
    docs: docs("hub"),
    parameters: {
      flags: {
        army: armyFlag("all"),
        listen: wordFlag("ADDRESS", flags.listen),
        tls: switchFlag(flags.tls),
        tlsCert: wordFlag("FILE", flags.tlsCert),
        tlsKey: wordFlag("FILE", flags.tlsKey),
        tlsCa: wordFlag("FILE", flags.tlsCa),
        machine: wordFlag("NAME", flags.machine),
        valid: wordFlag("TIME", flags.valid),
        address: wordFlag("ADDRESS", flags.address),
        json: switchFlag(flags.json),
      },
      positional: {
        kind: "array",
        parameter: { placeholder: "WORD", brief: places.hubAction, parse: String, proposeCompletions },
      },
    },
    func: (given, ...words) => load<typeof Run>("hub").hub(context(), given, words),
  });
}
