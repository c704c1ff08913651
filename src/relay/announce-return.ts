/**
 * Tells an agent that has come back what it was doing when it was cut off, and the overlord who came back how: one
 * message each, from ovld, which wakes it as any mail does.
 *
 * The message is stored first and then noted as told. A relay that is killed in between finds the message in the inbox
 * the next time, and does not write another.
 */
import { ROLES, type Role } from "../army/roles.ts";
import type { Conversation, CutOff } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import { MOST_MAIL } from "../army/words.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { Status } from "../mail/records/status.ts";
import { formatOnOneLine } from "../system/json.ts";

interface Returning {
  role: Role;
  mail: Mail;
  agent: ProcessIdentity;
  /** How long the overlord's message waits for the others. */
  patienceMs?: number;
}

export interface ReturnAnnouncer {
  close(): void;
}

const SLOWEST_LOOK_MS = 15_000;
const PATIENCE_MS = 30_000;

export function announceReturn(returning: Returning): ReturnAnnouncer {
  const until = performance.now() + (returning.patienceMs ?? PATIENCE_MS);
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = 250;
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

/** What ovld writes to an agent that has come back: what it was doing, and, to the overlord, who came back how. Pure. */

export const CUT_OFF_SUBJECT = "You were cut off";
const RETURN_SUBJECT = "The army came back";

/** A message that it had read. */
interface ReadMail {
  id: string;
  from: string;
  subject: string;
  body: string;
  /** Nothing proves that it came through its sender's own relay. */
}

interface CutOffFacts {
  cutOff: CutOff;
  status: Status;
  /** What it had read since it last reported, or in a turn that failed. */
  read: readonly ReadMail[];
  /** What it was given and never saw. */
  unseen: readonly ReadMail[];
  mostBytes: number;
}

function cutOffWords({ cutOff, status, read, unseen, mostBytes }: CutOffFacts): string {
  const said =
    status.updated === null
      ? ""
      : `${status.status}${status.task === "" ? "" : `: ${formatOnOneLine(status.task)}`}`;
  const lines = [
    `${HOW[cutOff.in](cutOff.at, cutOff.tool)} You have been started again in the same conversation.`,
    cutOff.in === "mail" || cutOff.in === "error"
      ? ""
      : "The outcome of your last tool call is unknown: it may have taken effect, or not.",
    said === ""
      ? "You had not said what you were doing."
      : `You had said that you were doing this, at ${status.updated}: ${said}.`,
    read.length === 0
      ? "You had read no mail since you last reported."
      : `Mail you had read and may not be done with: ${read.map(nameMail).join("; ")}.`,
    "Before you do anything again, look at what is already done. Then go on with what is left.",
  ].filter((line) => line !== "");
  return addUnseen(lines.join("\n"), unseen, mostBytes);
}

const HOW: Record<CutOff["in"], (at: string, tool: string | undefined) => string> = {
  tool: (at, tool) =>
    `You were cut off at ${at}, during your tool call${tool !== undefined && TOOL_NAME.test(tool) ? ` ${tool}` : ""}.`,
  answer: (at) => `You were cut off at ${at}, before your turn was over.`,
  "lost-turn": (at) =>
    `You were cut off after ${at}, in a turn that your conversation does not contain. The mail you were given in it comes again, marked as redelivered; you may already have acted on it.`,
  status: (at) =>
    `You were ended after ${at}. Your turn was over, but your status said that you were working.`,
  mail: (at) => `You were ended after ${at}, before you had seen all the mail you were given.`,
  error: (at) =>
    `You were ended after ${at}. A turn in which you had read mail had broken off in an error, and you had not returned to it.`,
};

/** The name comes from a file that any process can write, so nothing but a name is repeated in ovld's own words. */
const TOOL_NAME = /^[\w.:-]{1,100}$/;

function nameMail({ id, from, subject }: ReadMail): string {
  return `from ${from} about ${formatOnOneLine(subject)} (${id})`;
}

/** As much of it as fits; the rest is named, and `ovld log ID` shows it. */
function addUnseen(words: string, unseen: readonly ReadMail[], mostBytes: number): string {
  if (unseen.length === 0) return words;
  const head = `${words}\nThis mail was given to you and is not in your conversation, so you have not seen it yet:`;
  let text = head;
  const left: ReadMail[] = [];
  for (const each of unseen) {
    const { id, from, subject, body } = each;
    const longer = `${text}\n${formatOnOneLine({ id, from, subject, body })}`;
    if (Buffer.byteLength(longer) + ROOM_FOR_NAMES > mostBytes) left.push(each);
    else text = longer;
  }
  if (left.length === 0) return text;
  return `${text}\nThe rest is too long; read it with ovld log ID: ${left.map(({ id }) => id).join(", ")}.`;
}

const ROOM_FOR_NAMES = 2_048;

/** One line; undefined if nobody came back into a conversation that is older than the army's present session. */
function returnLine(
  conversations: ReadonlyMap<Role, Conversation | undefined>,
  summoned: string,
): string | undefined {
  const all = [...conversations];
  const isBack = ([, each]: (typeof all)[number]): boolean =>
    each !== undefined &&
    each.started >= summoned &&
    (each.since < summoned || each.beganBecause !== undefined);
  if (!all.some(isBack)) return undefined;
  const how = ([role, each]: (typeof all)[number]): string => {
    if (each === undefined || each.started < summoned) return `${role} is not back`;
    if (each.start === "began") return `${role} began a new conversation`;
    return each.cutOff === undefined ? `${role} resumed` : `${role} resumed, had been cut off and was told`;
  };
  return `The army came back: ${all.map(how).join("; ")}.`;
}
