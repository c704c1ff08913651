/** `ovld send`: sends a role a message from the person, and says whether the agent was woken. */
import type { Texts } from "../../../i18n/texts.ts";
import type { MailLimits } from "../../../army/words.ts";
import type { Role } from "../../../army/roles.ts";
import { readSettings } from "../../../config/settings.ts";
import { runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { mailOfArmy } from "../../../person/mail-of-army.ts";
import { formatStored, formatWoken, sendAsPerson } from "../../../person/send-as-person.ts";

export interface SendFlags {
  army?: string;
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
  const army = mailOfArmy(context, flags.army);
  const { session } = army;
  const { json, subject, urgent } = flags;
  const written =
    text === undefined || text === "-" ? await readBody(context, context.texts.send, limits) : text;
  const message = { to: [to], subject, text: written, urgent };
  const sent = await sendAsPerson(context, army, message, (stored) => {
    if (!json) sayLine(context, formatStored(context, stored));
  });
  for (const each of sent) {
    const { id, outcome } = each;
    const { state: bell, ...more } = outcome;
    if (json)
      sayJson(context, { session, id, to, subject: each.subject, stored: id !== null, bell, ...more });
    else for (const line of formatWoken(context, each)) sayLine(context, line);
  }
  return EXIT.done;
}

async function readBody(
  context: CommandContext,
  texts: Texts["send"],
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
