/** How an agent program keeps its conversations, so that a pane that is started again can resume its role's own. */
import type { CutOff, Conversation } from "../mail/records/conversation.ts";
import type { Environment } from "../system/run-program.ts";
import type { UsageReader } from "./agent-usage.ts";
import type { ProcessIdentity } from "../system/process.ts";

export interface AgentConversations {
  /** Arguments that start a new conversation under this id. */
  begin: (id: string) => string[];
  /** Arguments that resume the conversation with this id. */
  resume: (id: string) => string[];
  /** Whether the person's own arguments already choose a conversation. */
  areChosenBy: (args: readonly string[]) => boolean;
  /** The folder in which the program keeps its own files, by this environment; undefined if it has none. */
  programFolder: (env: Environment) => string | undefined;
  /** The file that the program keeps a conversation in; undefined if there is none. */
  findTranscript: (kept: KeptConversation, place: Place) => Transcript | undefined;
  /** Counts what the conversation in this file has used. */
  readUsage: (transcript: string) => UsageReader;
  /** The living process that the program's own records name as being in this conversation. */
  findOwner: (env: Environment, id: string) => ProcessIdentity | undefined;
}

export type KeptConversation = Pick<Conversation, "transcript" | "programFolder"> & { id: string };

interface Place {
  env: Environment;
  relayDir: string;
}

export interface Transcript {
  path: string;
  /** Whether it contains a prompt. Without one there is nothing to resume. */
  hasPrompt: () => boolean;
  /** Whether this text was submitted as a prompt. */
  hasPromptOf: (text: string) => boolean;
  /** Whether this text occurs anywhere in it. */
  mentions: (text: string) => boolean;
  /** When something was last written to it. */
  lastAt: () => string | undefined;
  /** How it ends: undefined if its last turn was over. */
  cutOff: () => CutOff | undefined;
  /** Whether its last turn failed. */
  endsInError: () => boolean;
}
