/** `ovld send`: sends a role a message from the person, and says whether the agent was woken. */
import type { MailLimits } from "../../../army/mail-limits.ts";
import type { Role } from "../../../army/roles.ts";
import { readSettings } from "../../../config/settings.ts";
import type { SendTexts } from "../../../i18n/en/send.ts";
import { firstWords } from "../../../mail/first-words.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { EXIT } from "../../../command/exit-code.ts";
import { fateOf } from "../../../summon/await-fate.ts";
import { postOfPerson } from "../../../summon/post-of-person.ts";
import { findRunner } from "../../../summon/surroundings.ts";
import { mailOfArmy } from "../../../summon/mail-of-army.ts";
import { tellFate } from "../../../view/tell-fate.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";

export interface SendFlags {
  session?: string;
  subject?: string;
  urgent: boolean;
  json: boolean;
}

export function send(
  context: CommandContext,
  flags: SendFlags,
  to: Role,
  text: string | undefined,
): Promise<void> {
  return runCommand(context, () => sendMessage(context, flags, to, text));
}

async function sendMessage(
  context: CommandContext,
  flags: SendFlags,
  to: Role,
  text: string | undefined,
): Promise<number> {
  const { limits } = readSettings(context.env);
  const army = mailOfArmy(context, flags.session, limits);
  const { session } = army;
  const texts = context.texts.send;
  const body = (text === undefined || text === "-" ? await readBody(context, texts, limits) : text).trimEnd();
  if (body.trim() === "") throw new OvldError({ code: "empty-message", facts: { role: to } });
  const subject = flags.subject ?? firstWords(body);
  await using sending = postOfPerson(context, army, limits);
  const delivery = await sending.post({
    // What an agent sends is never from the person, even if it runs the person's command.
    from: findRunner(context.env).role ?? "human",
    to,
    subject,
    body,
    priority: flags.urgent ? "urgent" : "normal",
  });
  const fate = fateOf(context, army, delivery);
  if (flags.json) {
    const { state: bell, ...more } = await fate;
    const { id = null, unverified } = "stored" in delivery ? delivery.stored : {};
    const isStored = "stored" in delivery;
    sayJson(context, { session, id, to, subject, stored: isStored, unverified, bell, ...more });
    return EXIT.done;
  }
  if ("stored" in delivery) {
    sayLine(context, texts.stored(to, delivery.stored.id));
    if (delivery.stored.unverified) sayLine(context, texts.unverified(to));
  }
  sayLine(context, tellFate(context.texts, to, await fate));
  if ((await fate).relay === "ended") sayLine(context, texts.relayEnded(to));
  return EXIT.done;
}

async function readBody(
  context: CommandContext,
  texts: SendTexts,
  { bodyBytes }: MailLimits,
): Promise<string> {
  if (context.hasTerminal) context.print("stderr", `${texts.writeHere}\n`);
  return readInput(bodyBytes, context.stop);
}

/** Reads what is piped or typed into this process, as text, but never more than needed. */
async function readInput(mostBytes: number, stop: AbortSignal): Promise<string> {
  const { stdin } = process;
  const giveUp = (): void => void stdin.destroy(new Error("asked to end"));
  stop.addEventListener("abort", giveUp);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      const part = Buffer.from(chunk);
      chunks.push(part);
      bytes += part.length;
      if (bytes > mostBytes) break;
    }
  } finally {
    stop.removeEventListener("abort", giveUp);
  }
  return Buffer.concat(chunks).toString("utf8");
}
