/** The command-line syntax of `ovld practice` and of the program in its panes. */
import { buildCommand } from "@stricli/core";
import type * as Run from "./run.ts";
import type * as AgentRun from "../practice-agent/run.ts";
import { choicePlace, switchFlag, wordFlag, type Syntax } from "../../syntax.ts";

const MACHINE_COUNTS = ["2", "3", "4", "5", "6"] as const;

export function practiceCommand({ docs, flags, places, context, load }: Syntax) {
  return buildCommand<Run.PracticeFlags, [string?]>({
    docs: docs("practice"),
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
export function practiceAgentCommand({ briefs, context, load }: Syntax) {
  const file = { kind: "parsed", parse: String, placeholder: "FILE", brief: "" } as const;
  return buildCommand<AgentRun.PracticeAgentFlags>({
    docs: { brief: briefs.practiceAgent },
    parameters: { flags: { mcpConfig: file, settings: file } },
    func: (given) => load<typeof AgentRun>("practice-agent").practiceAgent(context(), given),
  });
}
