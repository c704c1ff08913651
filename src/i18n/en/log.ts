/** What `ovld log` says about each event. */
import { ENDS } from "./returning.ts";
import type {
  ArmyEnd,
  JournalEventName,
  RequestEndName,
  RequestKind,
  RitualOutcome,
  StatusWord,
  VerdictName,
  Way,
} from "../../army/words.ts";

const VERDICTS: Record<VerdictName, string> = { allow: "allowed", deny: "denied", answer: "answered" };

export const LOG_TEXTS = {
  /** One word for each kind of event, for a narrow column. */
  words: {
    stored: "stored",
    read: "read",
    rung: "rung",
    begun: "begun",
    held: "held",
    unanswered: "unanswered",
    failed: "failed",
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
  statuses: { idle: "idle", working: "working", blocked: "blocked", done: "done" } satisfies Record<
    StatusWord,
    string
  >,
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
  redelivered: "delivered again, because an earlier delivery was cut off",
  /** The message did not come through its sender's own relay. */
  /** Which process stored it: the relay of `whose`, or a command run below the agent of `whose`, if known. */
  storedBy: (program: "relay" | "command", process: string, whose: string | undefined) => {
    if (program === "relay")
      return `stored by the relay of ${whose ?? "an unknown role"}, process ${process}`;
    const by = whose === undefined ? "" : `, run by the agent of ${whose}`;
    return `stored by the command line, process ${process}${by}`;
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
  stillUnread: "not read yet",
  after: (seconds: string) => `${seconds} s after it was stored`,
  ended: (session: string) => `The army ${session} has ended.`,
};
