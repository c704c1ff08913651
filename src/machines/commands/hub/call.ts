/** The command-line syntax of `ovld hub`. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../../cli/load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { ROLES } from "../../../army/roles.ts";
import { describeCommand, type TreeTexts } from "../../../cli/tree/describe-command.ts";
import { armyFlag, switchFlag, wordFlag } from "../../../cli/tree/flags.ts";

const ACTIONS = ["start", "status", "stop", "doctor", "service", "requirements", "invite", "revoke"];

function proposeCompletions(partial: string): string[] {
  return [...ACTIONS, ...ROLES].filter((word) => word.startsWith(partial));
}

export function hubCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<Run.HubFlags, string[]>({
    docs: describeCommand("hub", texts),
    parameters: {
      flags: {
        army: armyFlag(texts, context, load, "all"),
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
