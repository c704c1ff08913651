/** One thing a role of the play does. */
import type { Role, Sender } from "../../../army/roles.ts";
import type { StatusWord } from "../../../army/words.ts";

export type Step =
  | { do: "say"; text: string }
  /** A part of the work, which takes its time. */
  | { do: "work"; text: string }
  | { do: "status"; status: StatusWord; task: string }
  | { do: "send"; to: Role; subject: string; body: string };

/** What makes a role act: a message it has read, or something typed into its composer. */
export type Cue =
  { cue: "mail"; from: Sender; subject: string; body: string } | { cue: "prompt"; text: string };

/** A role's part: what it remembers and what happens, to what it remembers then and what it does about it. */
export interface Reaction<Memory> {
  memory: Memory;
  steps: Step[];
}
