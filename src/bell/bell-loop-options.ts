/** What one role's bell loop needs. */
import type { RingResult } from "./ring-attempt.ts";
import type { ProcessIdentity } from "../system/process.ts";
import type { Role } from "../army/roles.ts";
import type { RitualWait } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentWatch } from "./agent-watch.ts";
import type { RingingWay } from "./decide.ts";
import type { Trigger } from "./trigger.ts";
import type { UnfinishedRecord } from "./unfinished.ts";

export interface BellLoopOptions {
  role: Role;
  mail: Mail;
  /** This relay, its agent and its pane. */
  identity: { relay: ProcessIdentity; agent: ProcessIdentity | undefined; pane: number | undefined };
  agent: Pick<AgentWatch, "hear" | "keepsWorking" | "view">;
  /** What the agent owes, on record. */
  unfinished: UnfinishedRecord;
  /** What the ritual is waiting for, if it is waiting. */
  ritualWait: () => RitualWait | undefined;
  /** Gentlest first. */
  ways: readonly RingingWay[];
  /** How many times in a row the bell may ring at the end of a turn; 0 turns that off. */
  ringsAtTurnEnd: number;
  /** The word that marks mail carried by a bell as genuine; undefined if bells carry no mail. */
  word: string | undefined;
  /** `hasBegun` says whether a turn has been seen to begin. */
  ring: (way: RingingWay, call: Call, hasBegun: () => boolean) => Promise<RingResult>;
  /** Whether the screen shows an idle agent; used only if nothing else reports the state. */
  looksIdle: () => Promise<boolean>;
  /** Whether mail is being handed to the agent right now; such mail does not count as unread. */
  isHandingOut: () => boolean;
  /** For durations: not affected by changes to the system clock. */
  now: () => number;
  /** For comparing with times that others wrote down. */
  timeOfDay: () => number;
}

export interface Call {
  trigger: Trigger;
  /** The trigger, followed by the carried mail, if any. */
  text: string;
}
