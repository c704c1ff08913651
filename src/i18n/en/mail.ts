/** What sending a message says, and what `ovld log` says about each event. */
import { ENDS } from "./armies.ts";
import type {
  ArmyEnd,
  JournalEventName,
  RequestEndName,
  RequestKind,
  RitualOutcome,
  VerdictName,
  Way,
} from "../../army/words.ts";

export const SEND_TEXTS = {
  stored: (role: string, id: string) => `Message ${id} to ${role} is stored.`,
  rung: (role: string) => `${role} was notified.`,
  begun: (role: string) => `${role} has started on it.`,
  alreadyRung: (role: string) => `${role} was notified of earlier mail and has not read it yet.`,
  taken: (role: string) => `It was delivered to ${role}.`,
  held: (role: string, sentence: string) => `${role} was not notified: ${sentence}.`,
  unanswered: (role: string, attempts: number) =>
    `${role} was notified ${attempts === 1 ? "once" : `${attempts} times`} and has not reacted; look at its pane.`,
  noAgent: (role: string) => `No agent is running for ${role}; the message waits in the inbox.`,
  relayEnded: (role: string) =>
    `${role}'s relay has ended, so mail does not wake it by itself. Restart it with ovld restart ${role}, or reconnect the relay with /mcp in its pane.`,
  unknown: (role: string) =>
    `ovld does not know yet whether ${role} was notified; the message waits in the inbox.`,
  /** Mail to another machine. */
  away: (role: string, machine: string) => `${role} is on ${machine}, where its own relay notifies it.`,
  silent: (role: string, machine: string, heard: string) =>
    `${role} is on ${machine}, which was last seen at ${heard}; the message waits at the hub.`,
  notHeard: (role: string) => `${role} has never connected; the message waits at the hub.`,
  kept: (role: string, since: string, waiting: number) =>
    `Waiting on this machine for ${role}: the hub has not confirmed it, and has been unreachable since ${since}. ${
      waiting === 1 ? "It" : `${waiting} messages are waiting, including this one. It`
    } will be delivered once the hub is back; do not send it again.`,
  /** The hub can be reached, but earlier mail to the same role waits. */
  keptBehind: (role: string, waiting: number) =>
    `Waiting on this machine for ${role}: earlier mail to ${role} waits, perhaps because its inbox is full. ${waiting} messages are waiting, including this one. It will be delivered after them; do not send it again.`,
  writeHere: "Write your message. Ctrl-D on an empty line sends it, Ctrl-C cancels it.",
};

export const INBOX_TEXTS = {
  nothing: "There is no mail for you.",
  seenBefore: "shown before",
  more: (count: number) => `${count} more are waiting; run ovld inbox again.`,
  /** A notification: who has written, and how often. */
  notification: (from: string, session: string, count: number) =>
    `${from} has written to you${count === 1 ? "" : `, ${count} messages`} (army ${session})`,
  readIt: "ovld inbox shows it",
  /** Mail from ovld to the person. */
  notifyFailed: (code: number | null, seconds: number | undefined, said: string) => ({
    subject: "Your notify command failed",
    body: `The command under [notify] in your configuration ${seconds === undefined ? `failed (exit code ${code ?? "unknown"})` : `was not done after ${seconds} s`}, and perhaps fails each time${said && `: ${said}`}\nThe mail itself is safe.`,
  }),
};

const VERDICTS: Record<VerdictName, string> = { allow: "allowed", deny: "denied", answer: "answered" };

export const LOG_TEXTS = {
  /** One word for each kind of event, for a narrow column. */
  words: {
    stored: "waiting",
    read: "read",
    rung: "notified",
    begun: "working",
    held: "held",
    unanswered: "unanswered",
    failed: "failed",
    reminded: "reminded",
    asked: "asks you",
    answered: "answered",
    ritual: "ritual",
    conversation: "start",
    status: "status",
    quarantined: "set aside",
    skipped: "skipped",
    dropped: "dropped",
    ended: "ended",
    returned: "returned",
  } satisfies Record<JournalEventName, string>,
  ways: { socket: "by its socket", hook: "in its turn", typing: "by typing" } satisfies Record<Way, string>,
  rituals: { given: "has its ritual", waits: "has no ritual yet" } satisfies Record<RitualOutcome, string>,
  /** What an agent asks the person for. */
  asked: {
    permission: "for a permission",
    question: "a question",
    plan: "to approve a plan",
    oversized: "for a permission, in its pane only",
  } satisfies Record<RequestKind, string>,
  /** How such a request ended; `verdict` only if it was answered outside the pane. */
  answeredBy: (by: RequestEndName, verdict: VerdictName | undefined) => {
    if (by === "gone") return "no longer asks: its turn or its process has ended";
    const said = verdict === undefined ? "answered" : VERDICTS[verdict];
    return `${said} ${by === "pane" ? "in its pane" : by === "desk" ? "at the desk" : "in a terminal"}`;
  },
  attempt: (number: number) => `attempt ${number}`,
  andMore: (count: number) => `and ${count} more`,
  urgent: "urgent",
  redelivered: "delivered again: its reader may have seen it before",
  /** Which process sent it: the relay of `whose`, or a command run below the agent of `whose`, if known. */
  storedBy: (program: "relay" | "command", process: string, whose: string | undefined) => {
    if (program === "relay") return `sent by the relay of ${whose ?? "an unknown role"}, process ${process}`;
    const by = whose === undefined ? "" : `, run by the agent of ${whose}`;
    return `sent by the command line, process ${process}${by}`;
  },
  setAside: (file: string, kept: string, why: string) =>
    `${file} is not a valid message (${why}); kept as quarantine/${kept}`,
  skipped: (file: string, why: string) => `${file} could not be used and was left in place: ${why}`,
  dropped: {
    journal: (_files: number, megabytes: string) =>
      `the oldest ${megabytes} MB of the journal, to stay within its limit`,
    quarantine: (files: number, _megabytes: string) =>
      `${files === 1 ? "the oldest file" : `the ${files} oldest files`} in quarantine, to stay within its limit`,
  },
  armyEnded: (how: ArmyEnd) => `the army ${ENDS[how]}`,
  /** `ended` is a date with a time. */
  returned: (how: ArmyEnd, ended: string) => `the army came back; it ${ENDS[how]} at ${ended}`,
  stillUnread: "still waiting",
  after: (seconds: string) => `${seconds} s after it was sent`,
  ended: (session: string) => `The army ${session} has ended.`,
};
