/** How a practice agent is started in its pane. Help does not show it, because it is not for a person to type. */
import type { Texts } from "../../../i18n/texts.ts";
import { buildCommand } from "@stricli/core";
import type { LoadProgram } from "../../load-program.ts";
import type * as Run from "./run.ts";
import type { CommandContext } from "../../../command/command-context.ts";

export function practiceAgentCommand(
  { briefs }: Texts["cli"],
  context: () => CommandContext,
  load: LoadProgram,
) {
  const file = { kind: "parsed", parse: String, placeholder: "FILE", brief: "" } as const;
  return buildCommand<Run.PracticeAgentFlags>({
    docs: { brief: briefs.practiceAgent },
    parameters: { flags: { mcpConfig: file, settings: file } },
    func: (given) => load<typeof Run>("practice-agent").practiceAgent(context(), given),
  });
}
