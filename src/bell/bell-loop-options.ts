/** What the loop of one role's bell works with. */
import type { ProcessIdentity } from "../system/process-identity.ts";
import type { Role } from "../army/roles.ts";
import type { HoldReason, RitualWait } from "../army/words.ts";
import type { Mail } from "../mail/mail.ts";
import type { AgentWatch } from "./agent-watch.ts";
import type { RingingWay } from "./decide.ts";
import type { Trigger } from "./trigger.ts";

export interface BellLoopOptions {
  role: Role;
  mail: Mail;
  /** This relay, its agent and its pane. */
  identity: { relay: ProcessIdentity; agent: ProcessIdentity | undefined; pane: number | undefined };
  /** Whether a process is a relay of this role, as it is itself evidence of. */
  isRelay: (identity: ProcessIdentity) => boolean;
  agent: Pick<AgentWatch, "hear" | "keepsWorking" | "view">;
  /** What the agent waits for with its ritual, if it does. */
  ritualWait: () => RitualWait | undefined;
  /** From the gentlest down. */
  ways: readonly RingingWay[];
  /** How often in a row the end of one turn rings; 0 where it does not. */
  ringsAtTurnEnd: number;
  /** By which the agent knows mail that goes along with a bell; undefined if none does. */
  word: string | undefined;
  /** Undefined if it rang, else why not; `hasBegun` tells whether a turn has been seen to begin. */
  ring: (way: RingingWay, call: Call, hasBegun: () => boolean) => Promise<HoldReason | undefined>;
  /** Whether the screen shows an idle agent: asked only where nothing else tells. */
  looksIdle: () => Promise<boolean>;
  /** Whether mail is on its way to the agent just now: then it is not unread. */
  isHandingOut: () => boolean;
  /** For how long something takes: it goes on whatever is done to the machine's clock. */
  now: () => number;
  /** For what somebody else has named a time of. */
  timeOfDay: () => number;
}

export interface Call {
  trigger: Trigger;
  /** The trigger, and behind it the mail that goes along. */
  text: string;
}
