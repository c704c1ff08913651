/** An agent program as the relay needs it: to wake its agent, to know how it is, and to answer its hooks. */
import type { RitualWait } from "../army/words.ts";
import type { Environment } from "../config/environment.ts";
import type { Sighting } from "./agent-state.ts";
import type { HookCall } from "./hook-call.ts";

export interface AgentLink {
  /** The way in from outside, without a key pressed; undefined where the agent around this relay has none. */
  door: (env: Environment) => RingAtDoor | undefined;
  /** What the program's own records say of the agent in this process, if they say anything. */
  sight: (env: Environment, pid: number) => Sighting | undefined;
  hooks: AgentHooks;
  screen: AgentScreen;
}

/** Begins a turn with this text, or puts it into the one that goes on. False if it was not taken. */
type RingAtDoor = (post: { from: string; text: string }) => Promise<boolean>;

/** What the program's hooks say, and what they can be answered. */
export interface AgentHooks {
  /** Undefined for what no hook of this program says. */
  read: (input: object) => { call: HookCall; bySubagent: boolean } | undefined;
  /** The answer that changes nothing. */
  nothing: string;
  /** The answer to the end of a turn with which the turn goes on. */
  continueTurn: (text: string) => string;
  /** How often in a row a turn can be made to go on. */
  mostContinuations: number;
  /** The answer to the beginning of a conversation that puts a text in front of it. */
  remind: (text: string) => string;
  /** What such a text may have in characters; the rest would be cut off. */
  mostContext: number;
  /** The answer to a tool that shall not be used. */
  forbidTool: (reason: string) => string;
}

/** What the program draws, line by line, and what keys do in it. Pure. */
export interface AgentScreen {
  /** What stands in the composer, as it is wrapped; undefined if none is drawn. */
  readComposer: (screen: readonly string[]) => string | undefined;
  /** How a prompt stands in what `readComposer` returned. */
  findPrompt: (composer: string, text: string) => Standing;
  /** Whether the pane shows an earlier part of the screen than the one with the cursor. */
  isScrolled: (screen: readonly string[], cursorRow: number | undefined) => boolean;
  /** The last resort where nothing else tells: a composer is drawn, and no turn goes on. */
  looksIdle: (screen: readonly string[]) => boolean;
  /** Whether a prompt with this word in it was sent and is still to be seen. */
  showsAsSent: (screen: readonly string[], word: string) => boolean;
  /** What the program asks before its first prompt; undefined if it is nothing that is known. */
  firstQuestionOn: (screen: readonly string[]) => FirstQuestion | undefined;
  /** Whether it has left its screen because of Ctrl-Z. */
  saysSuspended: (screen: readonly string[]) => boolean;
  keys: PromptKeys;
}

export type FirstQuestion = Extract<RitualWait, "trust" | "api-key" | "login" | "bypass">;

export type Standing =
  /** The composer holds exactly this prompt. */
  | { is: "alone" }
  /** The prompt and something else; `unitsBefore` is undefined where it cannot be counted surely. */
  | { is: "beside"; unitsBefore: number | undefined }
  /** The prompt, broken by our Enter, with a person's words in the break. */
  | { is: "split"; unitsBefore: number | undefined }
  /** Only the end of it is visible, because the composer is too small for all of it. */
  | { is: "cut-off" }
  | { is: "absent" };

/** The keys that put a prompt into the composer, send it, and take it back; each to be written in one piece. */
export interface PromptKeys {
  /** For any text: nothing in it is taken for a key. */
  paste: (text: string) => string;
  /** For a line of plain words: sends it if nothing else stands in the composer. */
  typeAndEnter: (text: string) => string;
  /** Sends a prompt that was seen to stand there, if still nothing else does. `attempt` counts from 1. */
  enterIfAlone: (text: string, attempt: number) => string;
  /** Removes the prompt behind so many units, and what an Enter has left, and nothing else. */
  takeBack: (prompt: { text: string; unitsBefore: number; entered: Entered }) => string;
}

/** Whether Enter was pressed behind a prompt: together with its text, or after it was seen to stand there. */
export type Entered = "no" | "with-text" | "afterwards";
