/** One thing that a role does in the play. */
import type { Role, Sender } from "../../../army/roles.ts";
import type { StatusWord } from "../../../army/words.ts";

export type Step =
  | { do: "say"; text: string }
  /** A part of the work, which takes time. */
  | { do: "work"; text: string }
  | { do: "status"; status: StatusWord; task: string }
  | { do: "send"; to: Role; subject: string; body: string };

/** What makes a role act: a message it has read, or text typed into its composer. */
export type Cue =
  { cue: "mail"; from: Sender; subject: string; body: string } | { cue: "prompt"; text: string };

/** What a role remembers after a cue, and what it does in response. */
export interface Reaction<Memory> {
  memory: Memory;
  steps: Step[];
}
