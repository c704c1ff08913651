/** What `ovld status` says. */
import type { AgentName } from "../../army/agent-names.ts";
import { ageIn } from "../age-in.ts";
import type { AgentState, BellState, Evidence, SessionState, StatusWord } from "../../army/words.ts";

export interface StatusTexts {
  sessions: Record<SessionState, (session: string) => string>;
  works(folder: string, agent: AgentName, isUp: boolean): string;
  goneNext(flag: string): string;
  damaged(sentence: string): string;
  needsYou: string;
  allQuiet: string;
  needs: {
    asking(role: string, what: string | null): string;
    suspended(role: string): string;
    gone(role: string, closed: boolean): string;
    cutOff(role: string): string;
    ritual(role: string, clause: string): string;
    failed(role: string, sentence: string): string;
    held(role: string, sentence: string): string;
    unanswered(role: string, attempts: number): string;
    blocked(role: string, task: string): string;
  };
  goThere(key: string, tab: string): string;
  attachFirst(command: string, key: string, tab: string): string;
  beginAnew(flag: string): string;
  columns: { role: string; agent: string; mail: string; bell: string; place: string; says: string };
  states: Record<AgentState | "suspended", string>;
  statuses: Record<StatusWord, string>;
  bells: Record<BellState, string>;
  evidence: Record<Evidence, string>;
  unread(count: number, age: string): string;
  age(seconds: number): string;
  place(tab: string | null, pane: number | null): string;
  /** The place of a role on another machine. */
  on(machine: string | null): string;
  thisMachine(machine: string, roles: string): string;
  machine(machine: string, roles: string, age: string): string;
  unheard(roles: string): string;
  hubDown(age: string, why: string): string;
  /** The hub does not accept this machine's keys. */
  hubRefuses(age: string): string;
  outbox(from: string, count: number, age: string): string;
  says(status: string, task: string): string;
  neverSaid: string;
  allColumns: { session: string; state: string; needs: string; mail: string; works: string; folder: string };
  noArmies: string;
  sessionWords: Record<SessionState, string>;
  /** The keys of `--watch`, and what they lead to. */
  keys: {
    answer(open: number): string;
    go: string;
    write: string;
    leave: string;
    goWhere(roles: string): string;
    noPane(role: string): string;
    elsewhere(role: string, way: string): string;
    notMoved(role: string, way: string): string;
    toWhom(roles: string): string;
    text(role: string): string;
    urgent: string;
    more(lines: number): string;
  };
}

export const STATUS_TEXTS: StatusTexts = {
  sessions: {
    live: (session) => `The army ${session} is running.`,
    starting: (session) => `The army ${session} is starting.`,
    gone: (session) => `The session ${session} is not running.`,
    unknown: (session) => `Whether the session ${session} is running is unknown: Zellij did not answer.`,
  },
  works: (folder, agent, isUp) => `It ${isUp ? "runs" : "ran"} ${PROGRAMS[agent]} in ${folder}.`,
  goneNext: (flag) =>
    `Open it again with ovld summon${flag}, or remove what is left with ovld unsummon${flag}.`,
  damaged: (sentence) => `Its mail store is damaged: ${sentence}`,
  needsYou: "Needs you:",
  allQuiet: "Nothing needs you.",
  needs: {
    asking: (role, what) => `${role} is asking you${what ? `: ${what}` : ""}`,
    suspended: (role) => `${role} is suspended (Ctrl-Z)`,
    gone: (role, closed) => (closed ? `${role}'s pane was closed` : `${role}'s agent is not running`),
    cutOff: (role) =>
      `${role}'s relay has ended, so mail does not reach it; restart the agent, or type /mcp in its pane`,
    ritual: (role, clause) => `${role} has no ritual yet: ${clause}`,
    failed: (role, sentence) => `${role}'s last turn failed: ${sentence}`,
    held: (role, sentence) => `${role} cannot be woken for its mail: ${sentence}`,
    unanswered: (role, attempts) =>
      `${role} has been rung ${attempts === 1 ? "once" : `${attempts} times`} and does not answer`,
    blocked: (role, task) => `${role} says it is blocked${task ? `: ${task}` : ""}`,
  },
  goThere: (key, tab) => `${key} (tab ${tab})`,
  attachFirst: (command, key, tab) => `${command}, then ${key} (tab ${tab})`,
  beginAnew: (flag) => `ovld unsummon${flag}, then ovld summon${flag}`,
  columns: { role: "role", agent: "agent", mail: "unread", bell: "bell", place: "pane", says: "says" },
  states: {
    starting: "starting",
    idle: "idle",
    busy: "working",
    asking: "asking you",
    suspended: "suspended",
    failed: "failed",
    gone: "gone",
    unknown: "unknown",
  },
  statuses: { idle: "idle", working: "working", blocked: "blocked", done: "done" },
  bells: { quiet: "–", rung: "rung", begun: "begun", held: "held", unanswered: "unanswered" },
  evidence: { hook: "hook", registry: "registry", screen: "screen", none: "no evidence" },
  unread: (count, age) => (count === 0 ? "–" : age === "" ? `${count}` : `${count}, for ${age}`),
  age: (seconds) => ageIn(seconds, ["s", "m", "h", "d"]),
  place: (tab, pane) => [tab ?? "–", pane].filter((part) => part !== null).join(" "),
  on: (machine) => (machine === null ? "elsewhere" : `on ${machine}`),
  thisMachine: (machine, roles) => `${machine} (this machine): ${roles}`,
  machine: (machine, roles, age) => `${machine}: ${roles}; last seen ${age} ago`,
  unheard: (roles) => `Not seen yet: ${roles}`,
  hubRefuses: (age) =>
    `The hub has not accepted this machine's keys for ${age}: it was revoked, or invited again. Ask for a new join file.`,
  hubDown: (age, why) => `The hub has been unreachable for ${age}: ${why}`,
  outbox: (from, count, age) =>
    `${count === 1 ? "One message" : `${count} messages`} from ${from} ${count === 1 ? "waits" : "wait"} on this machine for the hub, for ${age}`,
  says: (status, task) => (task === "" ? status : `${status}: ${task}`),
  neverSaid: "–",
  allColumns: {
    session: "army",
    state: "session",
    needs: "needs you",
    mail: "unread",
    works: "works in",
    folder: "mail in",
  },
  noArmies: "There are no armies. Open one with ovld summon.",
  sessionWords: { live: "running", starting: "starting", gone: "not running", unknown: "unknown" },
  keys: {
    answer: (open) => (open === 0 ? "a answer" : `a answer (${open})`),
    go: "g go to a pane",
    write: "w write to a role",
    leave: "q leave",
    goWhere: (roles) => `Go to  ${roles}   Esc back`,
    noPane: (role) => `${role} has no pane.`,
    elsewhere: (role, way) => `You are not in the army's session. The way to ${role}: ${way}`,
    notMoved: (role, way) => `Zellij did not move you to ${role}'s pane. The way there: ${way}`,
    toWhom: (roles) => `To whom?  ${roles}\nNumber or name; Enter goes back: `,
    text: (role) =>
      `Write your message to ${role}. Ctrl-D on an empty line sends it; an empty message takes you back.`,
    urgent: "Is it urgent? [y/N] ",
    more: (lines) => `… ${lines} more ${lines === 1 ? "line" : "lines"}; a larger terminal shows all of them`,
  },
};

const PROGRAMS: Record<AgentName, string> = { claude: "Claude Code", practice: "practice agents" };
