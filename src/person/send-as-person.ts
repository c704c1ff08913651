/** Sends roles of an army a message as the person, on whichever machine they are, and says what became of it. */
import type { Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import { readSettings } from "../config/settings.ts";
import { openMail } from "../mail/mail.ts";
import { openPost, type Post } from "../mail/post.ts";
import { firstWords, type Message } from "../mail/store/message.ts";
import { storePaths } from "../mail/store/paths.ts";
import type { ArmyMail } from "../summon/army.ts";
import { partOfArmy } from "../summon/other-machines.ts";
import { OvldError } from "../system/ovld-error.ts";
import { identifyOurselves } from "../system/process.ts";
import { awaitOutcome, type MessageOutcome } from "./await-outcome.ts";
import { findRunner, originOf } from "./find-runner.ts";
import { formatOutcome } from "./format-outcome.ts";

export interface PersonMessage {
  to: readonly Role[];
  /** Without one, the first words of the text. */
  subject?: string | undefined;
  text: string;
  urgent: boolean;
}

export interface SentMessage {
  to: Role;
  subject: string;
  /** Null if the hub has not confirmed it: it is kept on this machine. */
  id: string | null;
  outcome: MessageOutcome;
}

/** `onStored` is called as soon as a message is safe; whether the agent was woken is known later. */
export async function sendAsPerson(
  context: CommandContext,
  army: ArmyMail,
  { to, subject, text, urgent }: PersonMessage,
  onStored: (message: Message) => void = () => {},
): Promise<SentMessage[]> {
  const body = text.trimEnd();
  if (body === "") throw new OvldError({ code: "empty-message", facts: { role: to[0] ?? "overlord" } });
  // What an agent sends is never from the person, even if it runs the person's command.
  const from = findRunner(context.env).role ?? "human";
  await using sending = openPersonPost(context, army, from);
  const message = {
    from,
    subject: subject ?? firstWords(body),
    body,
    priority: urgent ? "urgent" : "normal",
  } as const;
  const sent = to.map(async (role): Promise<SentMessage> => {
    const delivery = await sending.post({ ...message, to: role });
    if ("stored" in delivery) onStored(delivery.stored);
    const id = "stored" in delivery ? delivery.stored.id : null;
    const outcome = await awaitOutcome(context, army, delivery);
    return { to: role, subject: message.subject, id, outcome };
  });
  return await Promise.all(sent);
}

interface PersonPost extends AsyncDisposable {
  post: Post;
}

function openPersonPost(context: CommandContext, army: ArmyMail, user: Role | "human"): PersonPost {
  const { env } = context;
  const { limits } = readSettings(env);
  const origin = originOf(env);
  const mail = openMail(army.relayDir, { limits, origin });
  const part = partOfArmy(context, army);
  if (part === undefined) return { post: openPost(mail, undefined), [Symbol.asyncDispose]: async () => {} };
  const out = part.openWayOut({
    user,
    mail,
    folder: storePaths(army.relayDir).machines,
    limits,
    origin: { ...origin, process: identifyOurselves() },
  });
  return { post: openPost(mail, out), [Symbol.asyncDispose]: () => out.close() };
}

export function formatStored({ texts }: CommandContext, { to, id }: Message): string {
  return texts.send.stored(to, id);
}

export function formatWoken({ texts }: CommandContext, { to, outcome }: SentMessage): string[] {
  const ended = outcome.relay === "ended" ? [texts.send.relayEnded(to)] : [];
  return [formatOutcome(texts, to, outcome), ...ended];
}
