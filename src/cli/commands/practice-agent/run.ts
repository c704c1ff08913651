/** `ovld practice-agent`: one agent of the practice army, started in a pane, not by hand. */
import { runPracticeAgent } from "../../../agent/practice/run-practice-agent.ts";
import { runCommand, signalCode, type CommandContext } from "../../../command/command-context.ts";

export interface PracticeAgentFlags {
  mcpConfig: string;
  settings: string;
}

export function practiceAgent(
  context: CommandContext,
  { mcpConfig, settings }: PracticeAgentFlags,
): Promise<void> {
  const { env, texts, stop } = context;
  return runCommand(context, async () => {
    const start = { mcpConfigFile: mcpConfig, settingsFile: settings, env, texts: texts.play, stop };
    const code = await runPracticeAgent(start);
    return stop.aborted ? signalCode(stop) : code;
  });
}
