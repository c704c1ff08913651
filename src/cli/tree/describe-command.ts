/** A command's help text, in the form that the command-line library expects. */
import type { Texts } from "../../i18n/texts.ts";

/** What the command tree says. */
export type TreeTexts = Texts["cli"] & Pick<Texts, "commands">;

export function describeCommand(name: keyof Texts["commands"], { briefs, commands }: TreeTexts) {
  const { usage, examples, full } = commands[name];
  return { brief: briefs[name], fullDescription: full, customUsage: [usage, ...examples] };
}
