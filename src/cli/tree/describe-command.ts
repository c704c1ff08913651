/** A command's help text, in the form that the command-line library expects. */
import type { CliTexts } from "../../i18n/en/cli.ts";
import type { CommandTexts, DescribedCommand } from "../../i18n/en/commands.ts";

/** What the command tree says. */
export interface TreeTexts extends CliTexts {
  commands: CommandTexts;
}

export function describeCommand(name: DescribedCommand, { briefs, commands }: TreeTexts) {
  const { usage, examples, full } = commands[name];
  return { brief: briefs[name], fullDescription: full, customUsage: [usage, ...examples] };
}
