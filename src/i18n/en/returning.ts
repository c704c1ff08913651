/** What ovld says about an ended army that can be brought back. */
import type { AgentName, ArmyEnd } from "../../army/words.ts";
import { countOf } from "./count-of.ts";

/** How an army ended, after its name. */
export const ENDS: Record<ArmyEnd, string> = {
  unsummoned: "was ended with ovld unsummon",
  closed: "ended because its session was closed",
  crashed: "was cut off",
};

export const RETURN_TEXTS = {
  ended: (session: string, how: ArmyEnd, age: string) => `The last army ${session} ${ENDS[how]} ${age} ago.`,
  /** Each role with the time since its conversation was last used; empty if there is none. */
  conversations: (list: string) =>
    list === "" ? "No conversations to resume." : `Conversations, and when each was last used: ${list} ago.`,
  /** Each role with its number of unread messages; empty if there is none. */
  unread: (list: string) => (list === "" ? "No unread mail." : `Unread mail: ${list}.`),
  /** How many messages for other machines wait. */
  unsent: (count: number) =>
    `${countOf(count, "message")} for other machines ${count === 1 ? "has" : "have"} not been passed on.`,
  elsewhere: (folder: string, exists: boolean) =>
    exists
      ? `It worked in ${folder}, not in this folder.`
      : `It worked in ${folder}, which no longer exists.`,
  agentStays: (was: AgentName, configured: AgentName) =>
    `It ran ${was} and comes back with ${was}, although the configuration says ${configured}.`,
  ask: "Bring it back (b), start anew (n) or cancel (c)? ",
  askAnew: "Start anew (n) or cancel (c)? ",
  bring: /^\s*b(ring)?\s*$/i,
  anew: /^\s*n(ew)?\s*$/i,
  cancelled: "Nothing was started.",
  hint: (age: string) =>
    `Starting anew. The army that ended here ${age} ago can be brought back with: ovld summon --resume`,
};
