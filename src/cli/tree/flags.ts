/** The kinds of flags that commands share. */
import type { Texts } from "../../i18n/texts.ts";
import type { LoadProgram } from "../load-program.ts";
import type * as Complete from "../commands/complete/run.ts";
import type { CommandContext } from "../../command/command-context.ts";

/** On or off; off by default. */
export function switchFlag(brief: string) {
  return { kind: "boolean", default: false, withNegated: false, brief } as const;
}

/** An optional flag that takes a word. */
export function wordFlag(placeholder: string, brief: string) {
  return { kind: "parsed", parse: String, optional: true, placeholder, brief } as const;
}

/** Which army is meant; a shell offers the running ones, or all. */
export function armyFlag(
  { flags }: Texts["cli"],
  context: () => CommandContext,
  load: LoadProgram,
  which: Complete.Armies = "live",
) {
  const proposeCompletions = (partial: string): string[] =>
    load<typeof Complete>("complete")
      .armyNames(context(), which)
      .filter((name) => name.startsWith(partial));
  return { ...wordFlag("NAME", flags.army), proposeCompletions };
}
