/** What a command's help says of it, in the shape the command-line library asks for. */
import type { CliTexts } from "../../i18n/cli-texts.ts";
import type { DescribedCommand } from "../../i18n/command-texts.ts";

export function describeCommand(name: DescribedCommand, { briefs, commands }: CliTexts) {
  const { usage, examples, full } = commands[name];
  return { brief: briefs[name], fullDescription: full, customUsage: [usage, ...examples] };
}
