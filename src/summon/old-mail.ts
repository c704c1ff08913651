/** What an ended army left for the next one with its name: unread mail, and its roles' last statuses. */
import { ROLES, type Role, type Sender } from "../army/roles.ts";
import type { Mail } from "../mail/mail.ts";
import type { Status } from "../mail/status.ts";
import { cleanLine } from "../system/clean-text.ts";
import { sayLine, type CommandContext } from "../command/command-context.ts";

export interface OldMail {
  /** The folder in which the army worked; null if unknown. */
  folder: string | null;
  unread: { role: Role; count: number; from: Partial<Record<Sender, number>>; oldest: string }[];
  statuses: Status[];
}

/** Changes nothing in the store; null if nothing was left. */
export function findOldMail(mail: Mail): OldMail | null {
  const unread = ROLES.flatMap((role) => {
    const messages = mail.unread(role, { handedOut: false }).flatMap((id) => mail.peek(role, id) ?? []);
    const from: Partial<Record<Sender, number>> = {};
    for (const message of messages) from[message.from] = (from[message.from] ?? 0) + 1;
    const [first] = messages;
    return first === undefined ? [] : [{ role, count: messages.length, from, oldest: first.timestamp }];
  });
  const statuses = ROLES.map((role) => mail.peekStatus(role)).filter(({ updated }) => updated !== null);
  if (unread.length === 0 && statuses.length === 0) return null;
  return { folder: mail.army()?.folder ?? null, unread, statuses };
}

export function tellOldMail(
  context: CommandContext,
  session: string,
  { folder, unread, statuses }: OldMail,
): void {
  const texts = context.texts.oldMail;
  const common = context.texts.status;
  const ageOf = (moment: string | null): string =>
    moment === null ? "?" : common.age((context.now() - Date.parse(moment)) / 1_000);
  sayLine(context, texts.left(session, folder === null || folder === context.cwd ? null : cleanLine(folder)));
  for (const { role, count, from, oldest } of unread) {
    const senders = Object.entries(from).map(([sender, each]) => `${sender} ${each}`);
    sayLine(context, `  ${texts.unread(role, count, senders.join(", "), ageOf(oldest))}`);
  }
  for (const { role, status, task, updated } of statuses) {
    sayLine(context, `  ${texts.said(role, common.says(common.statuses[status], task), ageOf(updated))}`);
  }
  sayLine(context, texts.without(session));
}
