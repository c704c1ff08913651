/**
 * Tells an agent that has come back what it was doing when it was cut off, and the overlord who came back how: one
 * message each, from ovld, which wakes it as any mail does.
 *
 * The message is stored first and then noted as told. A relay that is killed in between finds the message in the inbox
 * the next time, and does not write another.
 */
import { ROLES, type Role } from "../army/roles.ts";
import type { Conversation } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import { MOST_MAIL } from "../army/words.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { CUT_OFF_SUBJECT, cutOffWords, RETURN_SUBJECT, returnLine, type ReadMail } from "./return-words.ts";

interface Returning {
  role: Role;
  mail: Mail;
  agent: ProcessIdentity;
  /** How long the overlord's message waits for the others. */
  patienceMs?: number;
}

export interface ReturnTeller {
  close(): void;
}

const LOOK_EVERY_MS = 250;
const SLOWEST_LOOK_MS = 15_000;
const PATIENCE_MS = 30_000;

export function tellReturn(returning: Returning): ReturnTeller {
  const until = performance.now() + (returning.patienceMs ?? PATIENCE_MS);
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = LOOK_EVERY_MS;
  look();
  return { close: () => clearTimeout(timer) };

  function look(): void {
    try {
      if (tellOnce(returning, performance.now() > until)) return;
    } catch {
      // A disk or an inbox that is full now may not be so later.
      pauseMs = Math.min(pauseMs * 2, SLOWEST_LOOK_MS);
    }
    timer = setTimeout(look, pauseMs).unref();
  }
}

/** True if there is nothing more to tell. */
function tellOnce({ role, mail, agent }: Returning, isLate: boolean): boolean {
  const own = mail.conversation(role);
  if (typeof own !== "object" || own.agent !== agent) return true;
  const summoned = mail.army()?.summoned ?? own.started;
  const isDue = role === "overlord" && own.toldOfReturn !== summoned;
  const here = mail.army()?.roles ?? ROLES;
  const all = isDue
    ? new Map(ROLES.filter((each) => here.includes(each)).map((each) => [each, conversationOf(mail, each)]))
    : undefined;
  if (all && !isLate && [...all.values()].some((each) => each === undefined || each.started < summoned))
    return false;
  const line = all && returnLine(all, summoned);
  const cutOff = own.cutOff?.told === undefined ? own.cutOff : undefined;
  const words = cutOff && { subject: CUT_OFF_SUBJECT, body: tellCutOff(mail, role, cutOff) };
  if (words !== undefined || line !== undefined) {
    const subject = words?.subject ?? RETURN_SUBJECT;
    const body = [words?.body, line].filter((part) => part !== undefined).join("\n");
    if (!isToldAlready(mail, role, cutOff))
      mail.deliver({ from: "ovld", to: role, subject, body, priority: "normal" });
  }
  if (cutOff === undefined && !isDue) return true;
  const told = cutOff && { cutOff: { ...cutOff, told: new Date().toISOString() } };
  mail.recordConversation({ ...own, ...told, ...(isDue && { toldOfReturn: summoned }) });
  return true;
}

function conversationOf(mail: Mail, role: Role): Conversation | undefined {
  const found = mail.conversation(role);
  return typeof found === "object" ? found : undefined;
}

function tellCutOff(mail: Mail, role: Role, cutOff: NonNullable<Conversation["cutOff"]>): string {
  const { read = [], unseen = [] } = cutOff;
  return cutOffWords({
    cutOff,
    status: mail.peekStatus(role),
    read: read.filter((id) => !unseen.includes(id)).flatMap((id) => findMail(mail, id)),
    unseen: unseen.flatMap((id) => findMail(mail, id)),
    mostBytes: MOST_MAIL.bodyBytes,
  });
}

function findMail(mail: Mail, id: string): ReadMail[] {
  const stored = mail.storedEntry(id);
  return stored === undefined ? [] : [stored];
}

/**
 * Its message was stored, and its relay or its army was killed before that was noted or read. A message about an earlier
 * cut-off does not count.
 */
function isToldAlready(mail: Mail, role: Role, cutOff: Conversation["cutOff"]): boolean {
  const waiting = mail.headers(role, mail.unread(role, { handedOut: true }));
  return waiting
    .filter(({ from }) => from === "ovld")
    .some(({ id, subject }) =>
      cutOff === undefined
        ? subject === CUT_OFF_SUBJECT || subject === RETURN_SUBJECT
        : subject === CUT_OFF_SUBJECT && mail.peek(role, id)?.body.includes(cutOff.at),
    );
}
