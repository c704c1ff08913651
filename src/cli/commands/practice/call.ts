/** The command-line syntax of `ovld practice` and of the program in its panes. */
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";
import { describeCommand, type TreeTexts } from "../../tree/describe-command.ts";
import { choicePlace } from "../../tree/choice.ts";
import { switchFlag, wordFlag } from "../../tree/flags.ts";
import type { Texts } from "../../../i18n/texts.ts";
import type * as AgentRun from "../practice-agent/run.ts";

const MACHINE_COUNTS = ["2", "3", "4", "5", "6"] as const;

export function practiceCommand(texts: TreeTexts, context: () => CommandContext, load: LoadProgram) {
  const { flags, places } = texts;
  return buildCommand<Run.PracticeFlags, [string?]>({
    docs: describeCommand("practice", texts),
    parameters: {
      // Offers no existing names, because a practice army needs a new one.
      flags: {
        army: wordFlag("NAME", flags.army),
        resume: switchFlag(flags.resumePractice),
        machines: { ...wordFlag("NUMBER", flags.machines), ...choicePlace(MACHINE_COUNTS) },
        json: switchFlag(flags.json),
      },
      positional: {
        kind: "tuple",
        parameters: [{ placeholder: "WISH", brief: places.wish, parse: String, optional: true }],
      },
    },
    func: (given, wish) => load<typeof Run>("practice").practice(context(), given, wish),
  });
}

/** How a practice agent is started in its pane. Help does not show it, because it is not for a person to type. */
export function practiceAgentCommand(
  { briefs }: Texts["cli"],
  context: () => CommandContext,
  load: LoadProgram,
) {
  const file = { kind: "parsed", parse: String, placeholder: "FILE", brief: "" } as const;
  return buildCommand<AgentRun.PracticeAgentFlags>({
    docs: { brief: briefs.practiceAgent },
    parameters: { flags: { mcpConfig: file, settings: file } },
    func: (given) => load<typeof AgentRun>("practice-agent").practiceAgent(context(), given),
  });
}
