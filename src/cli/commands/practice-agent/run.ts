/** `ovld practice-agent`: one agent of the practice army, started in a pane, not by hand. */
import { runPracticeAgent } from "../../../agent/practice/run-practice-agent.ts";
import { armyRitualText } from "../../../rituals/ritual-file.ts";
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
    const code = await runPracticeAgent({
      mcpConfigFile: mcpConfig,
      settingsFile: settings,
      env,
      texts: texts.play,
      ritualOf: armyRitualText,
      refuse(role, process) {
        context.print("stderr", `ovld: ${texts.conversation.inUse(role, Number.parseInt(process, 10))}\n`);
      },
      stop,
    });
    return stop.aborted ? signalCode(stop) : code;
  });
}
