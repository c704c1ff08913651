/** `ovld inbox` and `ovld reply`: the person reads what agents have written to them, and answers. */
import { sayAnswer, lookOf, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { readSettings } from "../../../config/settings.ts";
import { isMessageId } from "../../../mail/store/message.ts";
import { mailOfArmy, mailToRead, requirePerson } from "../../../person/find-runner.ts";
import { formatLetter } from "../../../person/format-letter.ts";
import { letterToAnswer, lettersIn, markRead, subjectOfReply } from "../../../person/letters.ts";
import { formatStored, formatWoken, readBody, sendAsPerson } from "../../../person/send-as-person.ts";
import { jsonLine } from "../../../system/json.ts";
import { OvldError } from "../../../system/ovld-error.ts";

interface InboxFlags {
  army?: string;
  all: boolean;
  json: boolean;
}

export async function inbox(context: CommandContext, { army, all, json }: InboxFlags): Promise<number> {
  requirePerson(context.env, "ovld inbox");
  if (all) return showAll(context, army);
  const { session, mail } = mailOfArmy(context, army);
  const look = lookOf(context);
  const { messages, remaining, settle } = mail.claim("human");
  const lines = messages.map((message) => formatLetter(message, look));
  const { inbox: texts } = context.texts;
  if (remaining > 0) lines.push(texts.more(remaining));
  if (messages.length === 0) lines.push(texts.nothing);
  // Only what has reached its reader is read; anything else comes again, marked.
  const answer = json ? jsonLine({ session, messages, remaining }) : `${lines.join("\n")}\n`;
  if (context.print("stdout", answer)) settle();
  return EXIT.done;
}

/** What agents have written to the person so far, read or not, and the person's answers; marks nothing as read. */
function showAll(context: CommandContext, name: string | undefined): number {
  const { session, mail } = mailToRead(context, name);
  const messages = lettersIn(mail).filter(({ to }) => to === "human");
  const look = lookOf(context);
  const lines = messages.map((message) => formatLetter(message, look));
  return sayAnswer(context, { session, messages }, lines.length > 0 ? lines : [context.texts.inbox.nothing]);
}

export async function reply(
  context: CommandContext,
  { army: name, json }: { army?: string; json: boolean },
  ...words: string[]
): Promise<number> {
  requirePerson(context.env, "ovld reply");
  const army = mailOfArmy(context, name);
  const { session, mail } = army;
  if (mail.army()?.ended !== undefined) throw new OvldError({ code: "army-over", facts: { session } });
  const [first = "-", second] = words;
  const isId = second !== undefined || isMessageId(first);
  const { id, from: to, subject } = letterToAnswer(mail, isId ? first : undefined);
  const given = isId ? (second ?? "-") : first;
  const { limits } = readSettings(context.env);
  const text = given === "-" ? await readBody(context, limits.bodyBytes) : given;
  const [sent] = await sendAsPerson(
    context,
    army,
    { to: [to], subject: subjectOfReply(subject), text, urgent: false },
    (stored) => {
      if (!json) sayLine(context, formatStored(context, stored));
    },
  );
  // Who answers it has seen it.
  markRead(mail, [id]);
  if (sent === undefined) return EXIT.failed;
  const { state: bell, ...more } = sent.outcome;
  const answer = { session, id: sent.id, to, answers: id, stored: sent.id !== null, bell, ...more };
  return sayAnswer(context, answer, formatWoken(context, sent));
}
