/** The command-line syntax of `ovld hub` and `ovld join`. */
import { buildCommand } from "@stricli/core";
import { ROLES } from "../../army/roles.ts";
import { offering, switchFlag, wordFlag, type Syntax } from "../../cli/syntax.ts";
import type * as Hub from "./hub.ts";
import type * as Join from "./join.ts";

export function machineCommands(syntax: Syntax) {
  return { hub: hubCommand(syntax), join: joinCommand(syntax) };
}

const ACTIONS = ["start", "status", "stop", "doctor", "service", "requirements", "invite", "revoke"];
const proposeCompletions = offering(() => [...ACTIONS, ...ROLES]);

function hubCommand({ docs, flags, places, armyFlag, context, load }: Syntax) {
  return buildCommand<Hub.HubFlags, string[]>({
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
    func: (given, ...words) => load<typeof Hub>("hub").hub(context(), given, words),
  });
}

function joinCommand({ docs, flags, places, context, load }: Syntax) {
  return buildCommand<Join.JoinFlags, [string]>({
    docs: docs("join"),
    parameters: {
      flags: { json: switchFlag(flags.json) },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "FILE", brief: places.joinFile, parse: String }],
      },
    },
    func: (given, file) => load<typeof Join>("join").join(context(), given, file),
  });
}
