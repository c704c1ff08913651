/** Questions to the person before something is done. */
import { OvldError } from "../system/ovld-error.ts";
import { ask } from "../terminal/ask.ts";
import { type CommandContext } from "./command-context.ts";

/** Asks a yes-or-no question; anything but yes, including the end of input, is a no. */
export async function confirm(context: CommandContext, question: string): Promise<boolean> {
  return context.texts.session.yes.test((await ask(question, context.stop)) ?? "");
}

/**
 * Whether the person has to be asked before `command` does what cannot be undone: not if they have said `--yes`. Throws if
 * they cannot be asked.
 */
export function mustConfirm(
  { hasTerminal, json }: CommandContext,
  { yes }: { yes: boolean },
  command: string,
): boolean {
  if (!yes && (!hasTerminal || json)) throw new OvldError({ code: "needs-yes", facts: { command } });
  return !yes;
}
