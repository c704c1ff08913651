/** A command's help text, in the form that the command-line library expects. */
import type { CliTexts } from "../../i18n/en/cli.ts";
import type { DescribedCommand } from "../../i18n/en/commands.ts";

export function describeCommand(name: DescribedCommand, { briefs, commands }: CliTexts) {
  const { usage, examples, full } = commands[name];
  return { brief: briefs[name], fullDescription: full, customUsage: [usage, ...examples] };
}
