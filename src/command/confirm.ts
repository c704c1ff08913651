/** Asks the person a yes-or-no question; anything but yes, including the end of input, is a no. */
import { ask } from "../terminal/ask.ts";
import { type CommandContext } from "./command-context.ts";

export async function confirm(context: CommandContext, question: string): Promise<boolean> {
  return context.texts.session.yes.test((await ask(question, context.stop)) ?? "");
}
