/** What ovld writes to an agent that has come back: what it was doing, and, to the overlord, who came back how. Pure. */
import type { Role } from "../army/roles.ts";
import type { Conversation, CutOff } from "../mail/records/conversation.ts";
import type { Status } from "../mail/records/status.ts";
import { printOnOneLine } from "../system/json.ts";

export const CUT_OFF_SUBJECT = "You were cut off";
export const RETURN_SUBJECT = "The army came back";

/** A message that it had read. */
export interface ReadMail {
  id: string;
  from: string;
  subject: string;
  body: string;
  /** Nothing proves that it came through its sender's own relay. */
}

export interface CutOffFacts {
  cutOff: CutOff;
  status: Status;
  /** What it had read since it last reported, or in a turn that failed. */
  read: readonly ReadMail[];
  /** What it was given and never saw. */
  unseen: readonly ReadMail[];
  mostBytes: number;
}

export function cutOffWords({ cutOff, status, read, unseen, mostBytes }: CutOffFacts): string {
  const said =
    status.updated === null
      ? ""
      : `${status.status}${status.task === "" ? "" : `: ${printOnOneLine(status.task)}`}`;
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
  return `from ${from} about ${printOnOneLine(subject)} (${id})`;
}

/** As much of it as fits; the rest is named, and `ovld log ID` shows it. */
function addUnseen(words: string, unseen: readonly ReadMail[], mostBytes: number): string {
  if (unseen.length === 0) return words;
  const head = `${words}\nThis mail was given to you and is not in your conversation, so you have not seen it yet:`;
  let text = head;
  const left: ReadMail[] = [];
  for (const each of unseen) {
    const { id, from, subject, body } = each;
    const longer = `${text}\n${printOnOneLine({ id, from, subject, body })}`;
    if (Buffer.byteLength(longer) + ROOM_FOR_NAMES > mostBytes) left.push(each);
    else text = longer;
  }
  if (left.length === 0) return text;
  return `${text}\nThe rest is too long; read it with ovld log ID: ${left.map(({ id }) => id).join(", ")}.`;
}

const ROOM_FOR_NAMES = 2_048;

/** One line; undefined if nobody came back into a conversation that is older than the army's present session. */
export function returnLine(
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
