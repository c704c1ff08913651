/** What the relay needs from an agent program: to wake its agent, to know its state, and to answer its hooks. */
import { DEFAULT_AGENT, type AgentName, type RitualWait } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import type { Verdict } from "../mail/records/request.ts";
import type { Sighting } from "./agent-state.ts";
import type { HookCall } from "./hook-call.ts";
import type { Mail } from "../mail/mail.ts";
import { claudeLink } from "./claude/claude-link.ts";

/** A program leaves out what it cannot do; each member says what is lost without it. */
export interface AgentLink {
  /**
   * A way to reach the agent from outside without typing; returns undefined if the agent of this relay offers none.
   * Without it, agents are woken at the end of their turns and by typing.
   */
  door?: (env: Environment) => RingAtDoor | undefined;
  /**
   * What the program's own records say about the agent in this process, if anything. Without it, what no hook reports
   * (Esc, a refused permission) is known only at the next hook, and an agent whose relay is dead is not rung.
   */
  sight?: (env: Environment, pid: number) => Sighting | undefined;
  /** Calls `onChange` when that changes. Without it, a change is noticed a little later. Returns a function that ends this. */
  onSight?: (env: Environment, pid: number, onChange: () => void) => () => void;
  /** The id of the agent's conversation in this process. Without it, a conversation is known from its first hook on. */
  conversation?: (env: Environment, pid: number) => string | undefined;
  /**
   * Who decided about a tool that needed the person, by the program's file for its conversation. Without it, an answer
   * from outside counts as taken if nothing shows that the pane was first.
   */
  decision?: FindDecision;
  /**
   * Whether the last turn failed, by the program's file for its conversation. Without it, a failure that happens while
   * there is no relay is not noticed.
   */
  endsInError?: (transcript: string) => boolean;
  /**
   * Without hooks, the state comes from `sight` alone, mail waits for the end of a turn, subagents can read the role's
   * mail, the ritual is not recalled after a loss of memory, and nothing can be answered outside the pane.
   */
  hooks?: AgentHooks;
  /** Without a screen that can be read nothing is typed: there are no rituals, and no bells but those at `door` and by hooks. */
  screen?: AgentScreen;
}

export type FindDecision = (transcript: string, asked: AskedTool) => DecidedBy | undefined;

/** A tool about which the person was asked. */
export interface AskedTool {
  tool: string;
  toolInput: string | undefined;
  /** When, in milliseconds since 1970. */
  since: number;
}

/** The answer of the hook that asked, or the person in the pane. */
export type DecidedBy = "hook" | "person";

/** Starts a turn with this text, or adds it to the running one. False if it was not accepted. */
type RingAtDoor = (post: { from: string; text: string }) => Promise<boolean>;

/** What the program's hooks report, and the answers they accept. */
export interface AgentHooks {
  /** Undefined if this is not a report of the program's hooks. */
  read: (input: object, timeOfDay: number) => { call: HookCall; bySubagent: boolean } | undefined;
  /** The answer that changes nothing. */
  nothing: string;
  /** The answer that makes an ending turn continue. */
  continueTurn: (text: string) => string;
  /** The answer that gives the model a text together with the results of its tools. */
  addToResults: (text: string) => string;
  /** How many times in a row a turn can be made to continue. */
  mostContinuations: number;
  /** The answer that puts a text at the beginning of a new conversation. */
  remind: (text: string) => string;
  /** The most characters such a text may have; the rest would be cut off. */
  mostContext: number;
  /** The answer that forbids a tool. */
  forbidTool: (reason: string) => string;
  /** The answer that applies the person's verdict to what this call, as `read` got it, asks for. */
  applyVerdict: (input: object, verdict: Verdict) => string;
}

/** What the program's screen shows, line by line, and what keys do in it. Pure. */
export interface AgentScreen {
  /** The text in the composer, as it is wrapped; undefined if there is no composer. */
  readComposer: (screen: readonly string[]) => string | undefined;
  /** Where a prompt is in the text that `readComposer` returned. */
  findPrompt: (composer: string, text: string) => FoundPrompt;
  /** Whether the pane is scrolled back, so that it does not show the part with the cursor. */
  isScrolled: (screen: readonly string[], cursorRow: number | undefined) => boolean;
  /** Whether the screen still shows a sent prompt that contains this word. */
  showsAsSent: (screen: readonly string[], word: string) => boolean;
  /** The question that the program asks before its first prompt; undefined if it shows no known one. */
  firstQuestionOn: (screen: readonly string[]) => FirstQuestion | undefined;
  /** Whether Ctrl-Z has made it leave its screen. */
  saysSuspended: (screen: readonly string[]) => boolean;
  keys: PromptKeys;
}

export type FirstQuestion = Extract<RitualWait, "trust" | "api-key" | "login" | "bypass">;

export type FoundPrompt =
  /** The composer holds exactly this prompt. */
  | { is: "alone" }
  /**
   * The prompt, or at least an unmistakable part of it, and other text. `unitsBefore` is undefined if it cannot be
   * counted reliably. `linesBefore`: the prompt begins a line of its own, after so many others. `isLast`: nothing
   * follows it.
   */
  | {
      is: "with-other-text";
      unitsBefore: number | undefined;
      linesBefore?: number | undefined;
      isLast: boolean;
      afterBlanksOnly: boolean;
    }
  /** Only its end is visible, because the composer is too small. */
  | { is: "cut-off" }
  | { is: "absent" };

/** The keys that put a prompt into the composer, send it and take it back; each string must be written in one piece. */
export interface PromptKeys {
  /** For any text: no character in it acts as a key. */
  paste: (text: string) => string;
  /** Sends a prompt that has been seen in the composer, if it is still alone. `attempt` counts from 1. */
  enterIfAlone: (text: string, attempt: number) => string;
  /** Removes only the prompt, which begins after `unitsBefore` units, and what an Enter has left. */
  takeBack: (prompt: TakenBack) => string;
  /** Removes only the prompt, which begins the line after `linesBefore` others, and that line if it is the last. */
  takeLineBack: (prompt: { text: string; linesBefore: number; isLast: boolean }) => string;
}

interface TakenBack {
  text: string;
  unitsBefore: number;
  /** Whether these units stay. */
  keepsBefore: boolean;
  /** Whether Enter was pressed after it. */
  entered: boolean;
}

/** The practice agent behaves like Claude Code and uses the same link. */
const LINKS: Readonly<Record<AgentName, AgentLink>> = { claude: claudeLink, practice: claudeLink };

export function linkOfArmy(mail: Pick<Mail, "army">): AgentLink {
  return LINKS[mail.army()?.agent ?? DEFAULT_AGENT];
}
