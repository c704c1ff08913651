/** How a practice agent is started in its pane: nothing for a person to type, so help does not show it. */
import { buildCommand } from "@stricli/core";
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { LoadProgram } from "../app.ts";
import type { PracticeAgentFlags } from "../commands/practice-agent.ts";
import type { CommandContext } from "../command-context.ts";

export function practiceAgentCommand({ briefs }: CliTexts, context: () => CommandContext, load: LoadProgram) {
  const file = { kind: "parsed", parse: String, placeholder: "FILE", brief: "" } as const;
  return buildCommand<PracticeAgentFlags>({
    docs: { brief: briefs.practiceAgent },
    parameters: { flags: { mcpConfig: file, settings: file } },
    func: (given) => load("practice-agent").practiceAgent(context(), given),
  });
}
