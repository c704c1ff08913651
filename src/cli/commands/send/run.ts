/** `ovld send`: sends a role a message from the person, and says whether the agent was woken. */
import type { Texts } from "../../../i18n/texts.ts";
import type { MailLimits } from "../../../army/words.ts";
import type { Role } from "../../../army/roles.ts";
import { readSettings } from "../../../config/settings.ts";
import { EXIT, runCommand, sayJson, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { mailOfArmy } from "../../../summon/mail-of-army.ts";
import { deliverAsPerson, tellStored, tellWoken } from "./deliver-as-person.ts";

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
  const { json, subject, urgent } = flags;
  const written =
    text === undefined || text === "-" ? await readBody(context, context.texts.send, limits) : text;
  const say = (lines: string[]): void => {
    if (!json) for (const line of lines) sayLine(context, line);
  };
  const delivery = await deliverAsPerson(context, army, { to, subject, text: written, urgent }, (message) =>
    say(tellStored(context, message)),
  );
  say(tellWoken(context, delivery));
  if (json) {
    const { id = null } = delivery.message ?? {};
    const { state: bell, ...more } = delivery.fate;
    const isStored = id !== null;
    sayJson(context, {
      session,
      id,
      to,
      subject: delivery.subject,
      stored: isStored,
      bell,
      ...more,
    });
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
