/**
 * The relay's part in the budget, in a bundle of its own, which only the relays of an army with a budget load: counts
 * what its own role has used, reads what the others' relays have counted, and tells the person when little is left.
 */
import { followConversations, hasWorked, type CountedConversation } from "../agent/follow-usage.ts";
import { perRole, ROLES, SPENDERS, type Role, type Spender } from "../army/roles.ts";
import type { UncountedWhy } from "../army/words.ts";
import type { RelayPlace } from "../bell/create-bell.ts";
import { isReached, judgeBudget, keepCounted, newsOf, type BudgetState } from "../bell/judge-budget.ts";
import type { TokenLimits } from "../mail/records/army-record.ts";
import { openBudgetBook, type Spending } from "../mail/records/budget.ts";
import { isProcessAlive } from "../system/process.ts";
import type { AgentPart } from "./agent-session.ts";

interface Watched extends Pick<RelayPlace, "role" | "mail" | "relayDir" | "env"> {
  limits: TokenLimits;
  /** Tells the person, in their language. */
  tell: (spender: Spender, state: BudgetState) => void;
  onChange: () => void;
  complainOf: (error: unknown) => void;
}

export interface BudgetWatch extends AgentPart {
  isReached: (by: Role) => boolean;
}

const LOOK_EVERY_MS = 2_000;

export function watchBudget(watched: Watched): BudgetWatch {
  const { role, mail, relayDir, env, limits, tell, onChange, complainOf } = watched;
  const book = openBudgetBook(relayDir);
  let own = book.spending(role);
  /** The agent has taken a turn since this relay started, so its conversation has a transcript. */
  let hasTurned = false;
  let state = judge();

  function judge(): BudgetState {
    const spent = { ...perRole((each) => book.spending(each)), [role]: own };
    return judgeBudget({ limits, decision: book.decision(), spent, now: Date.now() });
  }

  /**
   * Nobody counts what an agent uses that has no relay, or one that has ended or never reported; its next relay does. Of
   * one that is gone, or has not worked since it was started, nothing is missing.
   */
  function noteAlone(each: Role): void {
    const { state: seen = "gone", agent } = mail.agentReport(each) ?? {};
    if (each === role || seen !== "gone") return;
    const { uncounted, ...counted } = book.spending(each);
    const living = [agent, mail.conversation(each)?.agent].filter((one) => one && isProcessAlive(one));
    if (living.length === 0 && uncounted?.why === "no-relay") book.recordSpending(each, counted);
    if (living.length === 0 || uncounted !== undefined) return;
    const since = new Date().toISOString();
    if (living[0] === agent || hasWorked(env, { mail, relayDir }, each))
      book.recordSpending(each, { ...counted, uncounted: { since, why: "no-relay" } });
  }

  function count(found: readonly CountedConversation[]): Spending {
    const counted = found.flatMap(({ id, read }) =>
      read === undefined ? [] : [{ id, byModel: read.spent }],
    );
    const { conversations, shrunk } = keepCounted(own.conversations, counted);
    const why = whyUncounted(found, shrunk);
    const before = own.uncounted;
    const since = before?.why === why ? before?.since : undefined;
    const uncounted = why && { since: since ?? new Date().toISOString(), why };
    return { conversations, ...(uncounted && { uncounted }) };
  }

  function save(): void {
    // Another relay may have noted that nobody counts, before this one had reported.
    if (JSON.stringify(book.spending(role)) !== JSON.stringify(own)) book.recordSpending(role, own);
  }

  function whyUncounted(
    found: readonly CountedConversation[],
    shrunk: readonly string[],
  ): UncountedWhy | undefined {
    // What counts as used up stays so until the person decides, also in another conversation. Of an agent that had no
    // relay, this one counts all.
    const isLost = [state.army, state[role]].some(({ uncounted }) => uncounted.includes(role));
    if (isLost && own.uncounted?.why !== "no-relay") return own.uncounted?.why;
    // The conversation that the agent is in; of an earlier one everything has been counted.
    const current = found.find(({ left }) => left === undefined);
    if (current !== undefined && shrunk.includes(current.id)) return "cut";
    if (current?.read?.trouble !== undefined) return current.read.trouble;
    const ritual = mail.conversation(role)?.ritual;
    const hasTranscript = hasTurned || ritual !== undefined || (current && current.id in own.conversations);
    return current?.read === undefined && hasTranscript ? "missing" : undefined;
  }

  function look(found: readonly CountedConversation[]): void {
    const wasReached = isReached(state, role);
    own = count(found);
    state = judge();
    if (wasReached !== isReached(state, role)) onChange();
    for (const act of [save, () => ROLES.forEach(noteAlone), () => SPENDERS.forEach(tellOnce)])
      try {
        act();
      } catch (error) {
        // The disk may be full: it is tried again at the next look.
        complainOf(error);
      }
  }

  /** The relay of a role speaks of its own budget, and any of them of the army's. */
  function tellOnce(spender: Spender): void {
    const news = spender === "army" || spender === role ? newsOf(spender, state) : undefined;
    if (news !== undefined) book.tellOnce(news, () => tell(spender, state));
  }

  const stop = followConversations(env, { mail, relayDir }, [role], look, LOOK_EVERY_MS);
  return {
    // What another relay has counted since the last look holds at once.
    isReached: (by) => isReached(judge(), by),
    hear({ event }) {
      if (event === "turn-ended" || event === "turn-failed") hasTurned = true;
      return undefined;
    },
    close: stop,
  };
}
