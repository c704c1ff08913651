/** What the relay needs from an agent program: to wake its agent, to know its state, and to answer its hooks. */
import { DEFAULT_AGENT, type AgentName } from "../army/words.ts";
import type { Environment } from "../system/run-program.ts";
import type { Sighting } from "./agent-state.ts";
import type { Mail } from "../mail/mail.ts";
import { claudeLink } from "./claude/claude-link.ts";
import type { claudeScreen } from "./claude/claude-screen.ts";
import type { claudeHooks } from "./claude/hooks.ts";

/** A program leaves out what it cannot do; each member says what is lost without it. */
export interface AgentLink {
  /**
   * A way to reach the agent from outside without typing: starts a turn with this text, or adds it to the running one;
   * false if it was not accepted. Undefined if the agent of this relay has no such socket. Without it, agents are woken at the
   * end of their turns and by typing.
   */
  openSocket?: (env: Environment) => ((post: { from: string; text: string }) => Promise<boolean>) | undefined;
  /**
   * What the program's own records say about the agent in this process, if anything. Without it, what no hook reports
   * (Esc, a refused permission) is known only at the next hook, and an agent whose relay is dead is not rung.
   */
  readState?: (env: Environment, pid: number) => Sighting | undefined;
  /** Calls `onChange` when that changes. Without it, a change is noticed a little later. Returns a function that ends this. */
  watchState?: (env: Environment, pid: number, onChange: () => void) => () => void;
  /** The id of the agent's conversation in this process. Without it, a conversation is known from its first hook on. */
  conversation?: (env: Environment, pid: number) => string | undefined;
  /**
   * Who decided about a tool that needed the person, by the program's file for its conversation. Without it, an answer
   * from outside counts as taken if nothing shows that the pane was first.
   */
  decision?: (transcript: string, asked: AskedTool) => DecidedBy | undefined;
  /**
   * Whether the last turn failed, by the program's file for its conversation. Without it, a failure that happens while
   * there is no relay is not noticed.
   */
  endsInError?: (transcript: string) => boolean;
  /**
   * Without hooks, the state comes from `readState` alone, mail waits for the end of a turn, subagents can read the role's
   * mail, the ritual is not recalled after a loss of memory, and nothing can be answered outside the pane.
   */
  hooks?: AgentHooks;
  /** Without a screen that can be read nothing is typed: there are no rituals, and no bells but those through its socket and by hooks. */
  screen?: AgentScreen;
}

/** What the program's hooks report, and the answers they accept. All programs so far have those of Claude Code. */
export type AgentHooks = typeof claudeHooks;

/** What the program's screen shows, and what keys do in it. All programs so far draw a composer like Claude Code's. */
export type AgentScreen = typeof claudeScreen;

export interface AskedTool {
  tool: string;
  toolInput: string | undefined;
  /** When, in milliseconds since 1970. */
  since: number;
}

/** The answer of the hook that asked, or the person in the pane. */
export type DecidedBy = "hook" | "person";

/** The practice agent behaves like Claude Code and uses the same link. */
const LINKS: Readonly<Record<AgentName, AgentLink>> = { claude: claudeLink, practice: claudeLink };

export function linkOfArmy(mail: Pick<Mail, "army">): AgentLink {
  return LINKS[mail.army()?.agent ?? DEFAULT_AGENT];
}
