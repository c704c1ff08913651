/** Sends a role a message as the person, and says what became of it. */
import type { CommandContext } from "../../../command/command-context.ts";
import type { Role } from "../../../army/roles.ts";
import { firstWords, type Message } from "../../../mail/store/message.ts";
import { fateOf, type Fate } from "../../../summon/await-fate.ts";
import type { ArmyMail } from "../../../summon/mail-of-army.ts";
import { postOfPerson } from "../../../summon/post-of-person.ts";
import { findRunner } from "../../../summon/surroundings.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { tellFate } from "../../../view/tell-fate.ts";

export interface Letter {
  to: Role;
  /** Without one, the first words of the text. */
  subject?: string | undefined;
  text: string;
  urgent: boolean;
}

export interface Delivery {
  to: Role;
  subject: string;
  /** Undefined if the hub has not confirmed it: it is kept on this machine. */
  message: Message | undefined;
  fate: Fate;
}

/** `onStored` is called as soon as the message is safe; whether the agent was woken is known later. */
export async function deliverAsPerson(
  context: CommandContext,
  army: ArmyMail,
  { to, subject, text, urgent }: Letter,
  onStored: (message: Message) => void,
): Promise<Delivery> {
  const body = text.trimEnd();
  if (body.trim() === "") throw new OvldError({ code: "empty-message", facts: { role: to } });
  await using sending = postOfPerson(context, army);
  const title = subject ?? firstWords(body);
  const delivery = await sending.post({
    // What an agent sends is never from the person, even if it runs the person's command.
    from: findRunner(context.env).role ?? "human",
    to,
    subject: title,
    body,
    priority: urgent ? "urgent" : "normal",
  });
  const message = "stored" in delivery ? delivery.stored : undefined;
  if (message !== undefined) onStored(message);
  return { to, subject: title, message, fate: await fateOf(context, army, delivery) };
}

export function tellStored({ texts }: CommandContext, { to, id }: Message): string[] {
  return [texts.send.stored(to, id)];
}

export function tellWoken({ texts }: CommandContext, { to, fate }: Delivery): string[] {
  return [tellFate(texts, to, fate), ...(fate.relay === "ended" ? [texts.send.relayEnded(to)] : [])];
}
