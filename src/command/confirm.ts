/** Asks the person a question that is answered with yes or no; anything but yes, and the end of input, is no. */
import { ask } from "../terminal/ask.ts";
import { type CommandContext } from "./command-context.ts";

export async function confirm(context: CommandContext, question: string): Promise<boolean> {
  return context.texts.session.yes.test((await ask(question, context.stop)) ?? "");
}
