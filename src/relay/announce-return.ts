/**
 * Writes to a restarted agent what it was doing when it was cut off, and to the overlord which agents resumed: one message
 * each, from ovld, which wakes it as any mail does.
 *
 * The message is stored first and then noted as told. A relay that is killed in between finds the message in the inbox
 * the next time, and does not write another.
 */
import { ROLES, type Role } from "../army/roles.ts";
import type { Conversation, CutOff } from "../mail/records/conversation.ts";
import type { Mail } from "../mail/mail.ts";
import { MOST_MAIL } from "../army/words.ts";
import type { ProcessIdentity } from "../system/process.ts";
import { tryUntilDone } from "../system/async.ts";
import { formatOnOneLine } from "../system/json.ts";

interface Returning {
  role: Role;
  mail: Mail;
  agent: ProcessIdentity;
  /** How long the overlord's message waits for the others. */
  patienceMs?: number;
}

const PATIENCE_MS = 30_000;

export function announceReturn(returning: Returning): { close(): void } {
  const until = performance.now() + (returning.patienceMs ?? PATIENCE_MS);
  return tryUntilDone(() => announceOnce(returning, performance.now() > until));
}

/** True if there is nothing more to tell. */
function announceOnce({ role, mail, agent }: Returning, isLate: boolean): boolean {
  const own = mail.conversation(role, agent);
  if (own === undefined) return true;
  const summoned = mail.army()?.summoned ?? own.started;
  const isDue = role === "overlord" && own.toldOfReturn !== summoned;
  const here = mail.army()?.roles ?? ROLES;
  const all = isDue
    ? ROLES.filter((each) => here.includes(each)).map((each) => findReturn(mail, each, summoned))
    : [];
  if (!isLate && all.some(({ back }) => back === undefined)) return false;
  const cutOff = own.cutOff?.told === undefined ? own.cutOff : undefined;
  const parts = [cutOff && formatCutOff(mail, role, cutOff), formatReturn(all, summoned)];
  const body = parts.filter((part) => part !== undefined).join("\n");
  if (body !== "" && !isAnnounced(mail, role, cutOff)) {
    const subject = cutOff ? CUT_OFF_SUBJECT : RETURN_SUBJECT;
    mail.deliver({ from: "ovld", to: role, subject, body, priority: "normal" });
  }
  if (cutOff === undefined && !isDue) return true;
  const told = cutOff && { cutOff: { ...cutOff, told: new Date().toISOString() } };
  mail.recordConversation({ ...own, ...told, ...(isDue && { toldOfReturn: summoned }) });
  return true;
}

type Return = ReturnType<typeof findReturn>;

/** `back` is undefined until the role is back. */
function findReturn(mail: Mail, role: Role, summoned: string) {
  const found = mail.conversation(role);
  return { role, back: found && found.started >= summoned ? found : undefined };
}

/**
 * Its message was stored, and its relay or its army was killed before that was noted or read. A message about an earlier
 * cut-off does not count.
 */
function isAnnounced(mail: Mail, role: Role, cutOff: Conversation["cutOff"]): boolean {
  const waiting = mail.headers(role, mail.unread(role, { handedOut: true }));
  return waiting
    .filter(({ from }) => from === "ovld")
    .some(({ id, subject }) =>
      cutOff === undefined
        ? subject === CUT_OFF_SUBJECT || subject === RETURN_SUBJECT
        : subject === CUT_OFF_SUBJECT && mail.peek(role, id)?.body.includes(cutOff.at),
    );
}

export const CUT_OFF_SUBJECT = "You were cut off";
const RETURN_SUBJECT = "The army came back";

function formatCutOff(mail: Mail, role: Role, cutOff: CutOff): string {
  const { read = [], unseen = [] } = cutOff;
  const { status, task, updated } = mail.peekStatus(role);
  const isUnsure = cutOff.in !== "mail" && cutOff.in !== "error";
  // What it had read since it last reported, or in a turn that failed.
  const mayBeOpen = read.filter((id) => !unseen.includes(id)).flatMap((id) => mail.storedEntry(id) ?? []);
  const lines = [
    `${HOW[cutOff.in](cutOff.at, cutOff.tool)} You have been started again in the same conversation.`,
    ...(isUnsure ? ["The outcome of your last tool call is unknown: it may have taken effect, or not."] : []),
    updated === null
      ? "You had not said what you were doing."
      : `You had said that you were doing this, at ${updated}: ${status}${task === "" ? "" : `: ${formatOnOneLine(task)}`}.`,
    mayBeOpen.length === 0
      ? "You had read no mail since you last reported."
      : `Mail you had read and may not be done with: ${mayBeOpen.map(nameMail).join("; ")}.`,
    "Before you do anything again, look at what is already done. Then go on with what is left.",
  ];
  return addUnseen(
    lines.join("\n"),
    unseen.flatMap((id) => mail.storedEntry(id) ?? []),
  );
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

type StoredMail = NonNullable<ReturnType<Mail["storedEntry"]>>;

function nameMail({ id, from, subject }: StoredMail): string {
  return `from ${from} about ${formatOnOneLine(subject)} (${id})`;
}

/** As much of it as fits; the rest is named, and `ovld log ID` shows it. */
function addUnseen(words: string, unseen: readonly StoredMail[]): string {
  if (unseen.length === 0) return words;
  let text = `${words}\nThis mail was given to you and is not in your conversation, so you have not seen it yet:`;
  const left: string[] = [];
  for (const { id, from, subject, body } of unseen) {
    const longer = `${text}\n${formatOnOneLine({ id, from, subject, body })}`;
    if (Buffer.byteLength(longer) + ROOM_FOR_NAMES > MOST_MAIL.bodyBytes) left.push(id);
    else text = longer;
  }
  if (left.length === 0) return text;
  return `${text}\nThe rest is too long; read it with ovld log ID: ${left.join(", ")}.`;
}

const ROOM_FOR_NAMES = 2_048;

/** One line; undefined if nobody came back into a conversation that is older than the army's present session. */
function formatReturn(all: readonly Return[], summoned: string): string | undefined {
  const isReturn = ({ back }: Return): boolean =>
    back !== undefined && (back.since < summoned || back.beganBecause !== undefined);
  if (!all.some(isReturn)) return undefined;
  const how = ({ role, back }: Return): string => {
    if (back === undefined) return `${role} is not back`;
    if (back.start === "began") return `${role} began a new conversation`;
    return back.cutOff === undefined ? `${role} resumed` : `${role} resumed, had been cut off and was told`;
  };
  return `The army came back: ${all.map(how).join("; ")}.`;
}
