/** Lets the person write a message to a role, as `ovld send` does. */
import type { Role } from "../../../army/roles.ts";
import { confirm } from "../../../command/confirm.ts";
import { sayLine, type CommandContext } from "../../../command/command-context.ts";
import { readSettings } from "../../../config/settings.ts";
import { mailOfArmy, type ArmyMail } from "../../../summon/mail-of-army.ts";
import { requirePerson } from "../../../summon/require-person.ts";
import { ask } from "../../../terminal/ask.ts";
import { askForText } from "../../../terminal/ask-for-text.ts";
import { deliverAsPerson, tellStored, tellWoken } from "../send/deliver-as-person.ts";
import { numberedRoles, roleNumbered } from "./decide-key.ts";

/** What became of the message; nothing if the person wrote none. */
export async function writeToRole(context: CommandContext, { session }: ArmyMail): Promise<string[]> {
  requirePerson(context.env, "ovld status --watch");
  const { keys: texts } = context.texts.status;
  const to = await askForRole(context);
  if (to === undefined) return [];
  sayLine(context, texts.text(to));
  const text = await askForText(context.stop);
  if (text.trim() === "") return [];
  const urgent = await confirm(context, texts.urgent);
  const army = mailOfArmy(context, session, readSettings(context.env).limits);
  const stored: string[] = [];
  const delivery = await deliverAsPerson(context, army, { to, text, urgent }, (message) => {
    stored.push(...tellStored(context, message));
    for (const line of stored) sayLine(context, line);
  });
  return [...stored, ...tellWoken(context, delivery)];
}

async function askForRole(context: CommandContext): Promise<Role | undefined> {
  const { keys: texts } = context.texts.status;
  for (;;) {
    const word = (await ask(texts.toWhom(numberedRoles()), context.stop))?.trim().toLowerCase();
    if (word === undefined || word === "") return undefined;
    const role = roleNumbered(word);
    if (role !== undefined) return role;
    sayLine(context, context.texts.answer.notUnderstood);
  }
}
