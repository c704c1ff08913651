/** What ovld says about an ended army that can be brought back. */
import type { AgentName } from "../../army/agent-names.ts";
import type { ArmyEnd } from "../../army/words.ts";
import { countOf } from "./count-of.ts";

export interface ReturnTexts {
  ended(session: string, how: ArmyEnd, age: string): string;
  /** Each role with the time since its conversation was last used; empty if there is none. */
  conversations(list: string): string;
  /** Each role with its number of unread messages; empty if there is none. */
  unread(list: string): string;
  /** How many messages for other machines wait. */
  unsent(count: number): string;
  elsewhere(folder: string, exists: boolean): string;
  agentStays(was: AgentName, configured: AgentName): string;
  ask: string;
  askAnew: string;
  bring: RegExp;
  anew: RegExp;
  cancelled: string;
  hint(age: string): string;
}

/** How an army ended, after its name. */
export const ENDS: Record<ArmyEnd, string> = {
  unsummoned: "was ended with ovld unsummon",
  closed: "ended because its session was closed",
  crashed: "was cut off",
};

export const RETURN_TEXTS: ReturnTexts = {
  ended: (session, how, age) => `The last army ${session} ${ENDS[how]} ${age} ago.`,
  conversations: (list) =>
    list === "" ? "No conversations to resume." : `Conversations, and when each was last used: ${list} ago.`,
  unread: (list) => (list === "" ? "No unread mail." : `Unread mail: ${list}.`),
  unsent: (count) =>
    `${countOf(count, "message")} for other machines ${count === 1 ? "has" : "have"} not been passed on.`,
  elsewhere: (folder, exists) =>
    exists
      ? `It worked in ${folder}, not in this folder.`
      : `It worked in ${folder}, which no longer exists.`,
  agentStays: (was, configured) =>
    `It ran ${was} and comes back with ${was}, although the configuration says ${configured}.`,
  ask: "Bring it back (b), start anew (n) or cancel (c)? ",
  askAnew: "Start anew (n) or cancel (c)? ",
  bring: /^\s*b(ring)?\s*$/i,
  anew: /^\s*n(ew)?\s*$/i,
  cancelled: "Nothing was started.",
  hint: (age) =>
    `Starting anew. The army that ended here ${age} ago can be brought back with: ovld summon --resume`,
};
