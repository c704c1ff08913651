/** What a command's help says of it, in the shape the command-line library asks for. */
import type { CliTexts } from "../../i18n/en/cli.ts";
import type { DescribedCommand } from "../../i18n/en/commands.ts";

export function describeCommand(name: DescribedCommand, { briefs, commands }: CliTexts) {
  const { usage, examples, full } = commands[name];
  return { brief: briefs[name], fullDescription: full, customUsage: [usage, ...examples] };
}
