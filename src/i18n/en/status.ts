/** What `ovld status` says. */
import type { Spender } from "../../army/roles.ts";
import type {
  AgentName,
  AgentState,
  BellState,
  Evidence,
  SessionState,
  StatusWord,
} from "../../army/words.ts";
import { formatAge } from "../sentences.ts";

export const STATUS_TEXTS = {
  sessions: {
    live: (session) => `The army ${session} is running.`,
    starting: (session) => `The army ${session} is starting.`,
    gone: (session) => `The army ${session} is not running.`,
    unknown: (session) => `Whether the army ${session} is running is unknown: Zellij did not answer.`,
  } satisfies Record<SessionState, (session: string) => string>,
  works: (folder: string, agent: AgentName, isUp: boolean) =>
    `It ${isUp ? "runs" : "ran"} ${PROGRAMS[agent]} in ${folder}.`,
  goneNext: (flag: string) =>
    `Open it again with ovld summon${flag}, or remove what is left with ovld unsummon${flag}.`,
  damaged: (sentence: string) => `Its mail is damaged: ${sentence}`,
  needsYou: "Needs you:",
  allQuiet: "Nothing needs you.",
  needs: {
    asking: (role: string, what: string | null) => `${role} is asking you${what ? `: ${what}` : ""}`,
    suspended: (role: string) => `${role} is suspended (Ctrl-Z)`,
    gone: (role: string, closed: boolean) =>
      closed ? `${role}'s pane was closed` : `${role}'s agent is not running`,
    cutOff: (role: string) =>
      `${role}'s relay has ended, so mail does not reach it; restart the agent, or type /mcp in its pane`,
    ritual: (role: string, clause: string) => `${role} has no ritual yet: ${clause}`,
    failed: (role: string, sentence: string) => `${role}'s last turn failed: ${sentence}`,
    held: (role: string, sentence: string) => `${role} cannot be woken for its mail: ${sentence}`,
    budget: (spender: Spender, uncounted: readonly string[]) => {
      const whose = spender === "army" ? "the army's budget" : `${spender}'s budget`;
      return uncounted.length > 0
        ? `ovld cannot count the tokens of ${uncounted.join(", ")}, so it treats ${whose} as used up; say whether to go on`
        : `${whose} is used up, so nobody is woken; say whether to go on`;
    },
    brake: (role: string, from: readonly string[], messages: number) =>
      `${role} is not woken for mail from ${from.join(", ")}: they have exchanged ${messages} messages and done nothing else; say whether they go on`,
    unanswered: (role: string, attempts: number) =>
      `${role} was notified ${attempts === 1 ? "once" : `${attempts} times`} and does not react`,
    question: (role: string, words: string) => `${role} asks you and waits${words ? `: ${words}` : ""}`,
    stalled: (role: string, subject: string) => `${role} stopped and did not answer you about: ${subject}`,
    blocked: (role: string, task: string) => `${role} says it is blocked${task ? `: ${task}` : ""}`,
  },
  goThere: (key: string, tab: string) => `${key} (tab ${tab})`,
  attachFirst: (command: string, key: string, tab: string) => `${command}, then ${key} (tab ${tab})`,
  beginAnew: (flag: string) => `ovld unsummon${flag}, then ovld summon${flag}`,
  columns: { role: "role", agent: "agent", mail: "waiting", bell: "notice", place: "pane", says: "says" },
  states: {
    starting: "starting",
    idle: "idle",
    busy: "working",
    asking: "asking you",
    suspended: "suspended",
    failed: "failed",
    gone: "gone",
    unknown: "unknown",
  } satisfies Record<AgentState | "suspended", string>,
  statuses: { idle: "idle", working: "working", blocked: "blocked", done: "done" } satisfies Record<
    StatusWord,
    string
  >,
  bells: {
    quiet: "–",
    rung: "notified",
    begun: "working",
    held: "held",
    unanswered: "unanswered",
  } satisfies Record<BellState, string>,
  stalled: (role: string, subject: string, from: string) =>
    `${role} stopped without a word to ${from} about: ${subject}. ${from} has been told.`,
  evidence: { hook: "hook", registry: "registry", screen: "screen", none: "no evidence" } satisfies Record<
    Evidence,
    string
  >,
  unread: (count: number, age: string) =>
    count === 0 ? "–" : age === "" ? `${count}` : `${count}, for ${age}`,
  age: (seconds: number) => formatAge(seconds, ["s", "m", "h", "d"]),
  place: (tab: string | null, pane: number | null) =>
    [tab ?? "–", pane].filter((part) => part !== null).join(" "),
  /** The place of a role on another machine. */
  on: (machine: string | null) => (machine === null ? "elsewhere" : `on ${machine}`),
  thisMachine: (machine: string, roles: string) => `${machine} (this machine): ${roles}`,
  machine: (machine: string, roles: string, age: string) => `${machine}: ${roles}; last seen ${age} ago`,
  unheard: (roles: string) => `Never connected: ${roles}`,
  /** The hub does not accept this machine's keys. */
  hubRefuses: (age: string) =>
    `The hub has not accepted this machine's keys for ${age}: it was revoked, or invited again. Ask for a new join file.`,
  hubDown: (age: string, why: string) => `The hub has been unreachable for ${age}: ${why}`,
  outbox: (from: string, count: number, age: string) =>
    `${count === 1 ? "One message" : `${count} messages`} from ${from} ${count === 1 ? "waits" : "wait"} on this machine for the hub, for ${age}`,
  says: (status: string, task: string) => (task === "" ? status : `${status}: ${task}`),
  waitsFor: (status: string, whom: string) => `${status}, waits for ${whom === "human" ? "you" : whom}`,
  /** Mail to the person. */
  mailForYou: (count: number) =>
    `Mail for you: ${count === 1 ? "one unread message" : `${count} unread messages`}`,
  neverSaid: "–",
  sessionWords: {
    live: "running",
    starting: "starting",
    gone: "not running",
    unknown: "unknown",
  } satisfies Record<SessionState, string>,
  /** The keys of `--watch`, and what they lead to. */
  keys: {
    answer: (open: number) => (open === 0 ? "a answer" : `a answer (${open})`),
    go: "g go to a pane",
    write: "w write to a role",
    leave: "q leave",
    goWhere: (roles: string) => `Go to  ${roles}   Esc back`,
    noPane: (role: string) => `${role} has no pane.`,
    elsewhere: (role: string, way: string) => `You are not inside the army. The way to ${role}: ${way}`,
    notMoved: (role: string, way: string) =>
      `Zellij did not move you to ${role}'s pane. The way there: ${way}`,
    toWhom: (roles: string) => `To whom?  ${roles}\nNumber or name  [Enter] back: `,
    text: (role: string) =>
      `Write your message to ${role}. Ctrl-D on an empty line sends it; an empty message cancels.`,
    urgent: "Is it urgent? [y/N] ",
    more: (lines: number) =>
      `… ${lines} more ${lines === 1 ? "line" : "lines"}; a larger terminal shows all of them`,
  },
};

const PROGRAMS: Record<AgentName, string> = { claude: "Claude Code", practice: "practice agents" };
