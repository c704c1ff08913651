/** Asks the person a question that is answered with yes or no; anything but yes, and the end of input, is no. */
import { ask } from "../system/ask.ts";
import { textsOf, type Machine } from "./machine.ts";

export async function confirm(machine: Machine, question: string): Promise<boolean> {
  return textsOf(machine).yes.test((await ask(question, machine.stop)) ?? "");
}
