/** Lets the person write a message to a role, as `ovld send` does. */
import type { ArmyMail } from "../../../summon/army.ts";
import type { Role } from "../../../army/roles.ts";
import { confirm } from "../../../command/confirm.ts";
import { sayLine, type CommandContext } from "../../../command/command-context.ts";
import { readSettings } from "../../../config/settings.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";
import { requirePerson } from "../../../person/find-runner.ts";
import { ask, askForText } from "../../../terminal/ask.ts";
import { formatStored, formatWoken, sendAsPerson } from "../../../person/send-as-person.ts";
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
  const sent = await sendAsPerson(context, army, { to: [to], text, urgent }, (message) => {
    stored.push(formatStored(context, message));
    for (const line of stored) sayLine(context, line);
  });
  return [...stored, ...sent.flatMap((each) => formatWoken(context, each))];
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
