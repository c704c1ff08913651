/** Whether the budget of an army or of a role is used up, from what has been counted. Pure. */
import { perRole, ROLES, SPENDERS, type Role, type Spender } from "../army/roles.ts";
import type { TokenLimits } from "../mail/records/army-record.ts";
import type { BudgetDecision, Spending } from "../mail/records/budget.ts";

export interface BudgetFacts {
  /** As the army was summoned with. */
  limits: TokenLimits;
  decision: BudgetDecision;
  spent: Readonly<Record<Role, Spending>>;
  now: number;
}

export interface Share {
  /** Tokens that were read anew, read from the cache and written. */
  input: number;
  cached: number;
  output: number;
  used: number;
  /** Null for any number. */
  limit: number | null;
  level: "fine" | "near" | "reached";
  /** Whose tokens cannot be counted any more, if that is why it counts as reached. */
  uncounted: Role[];
  /** Since when; null if all is counted. */
  uncountedSince: string | null;
  /** The person wants nothing to go on, also if everything can be counted again. */
  isStopped: boolean;
}

export type BudgetState = Readonly<Record<Spender, Share>>;

/** From here on the person is told. */
const NEAR = 0.8;
/** So long a transcript may be missing or unreadable, as while it is being made. */
const UNCOUNTED_AFTER_MS = 60_000;

export function judgeBudget({ limits, decision, spent, now }: BudgetFacts): BudgetState {
  const isLost = (role: Role): boolean => {
    const { since } = spent[role].uncounted ?? {};
    if (since === undefined || decision.accepted[role] === since) return false;
    // A time to come was written before the clock was set back.
    const age = now - Date.parse(since);
    return age < 0 || age >= UNCOUNTED_AFTER_MS;
  };
  const shareOf = (spender: Spender): Share => {
    const roles = spender === "army" ? ROLES : [spender];
    const tokens = addUp(roles.map((role) => spent[role]));
    const used = tokens.input + tokens.cached + tokens.output;
    const given = limits[spender];
    const limit = given === undefined ? null : given + (decision.raised[spender] ?? 0);
    const uncounted = limit === null ? [] : roles.filter(isLost);
    const isStopped = limit !== null && decision.stopped[spender] === limit;
    const isOver = limit !== null && (used >= limit || uncounted.length > 0 || isStopped);
    const level = isOver ? "reached" : limit !== null && used >= NEAR * limit ? "near" : "fine";
    return {
      ...tokens,
      used,
      limit,
      level,
      uncounted,
      uncountedSince: uncounted.map((role) => spent[role].uncounted?.since ?? "").toSorted()[0] ?? null,
      isStopped,
    };
  };
  return { army: shareOf("army"), ...perRole(shareOf) };
}

function addUp(spent: readonly Spending[]) {
  const sum = { input: 0, cached: 0, output: 0 };
  for (const { conversations } of spent)
    for (const byModel of Object.values(conversations))
      for (const { input, cached, output } of Object.values(byModel)) {
        sum.input += input;
        sum.cached += cached;
        sum.output += output;
      }
  return sum;
}

export function isReached(state: BudgetState, role: Role): boolean {
  return [state.army, state[role]].some(({ level }) => level === "reached");
}

/**
 * Whose budget keeps this role from going on, unless the person has said that it stays so. The army's concerns its
 * overlord.
 */
export function reachedFor(state: BudgetState | null, role: Role): Spender | undefined {
  const spenders: readonly Spender[] = role === "overlord" ? ["army", role] : [role];
  return spenders.find((spender) => state?.[spender].level === "reached" && !state[spender].isStopped);
}

/** What the person is told, once; undefined if there is nothing, or if they have stopped it themselves. */
export function newsOf(spender: Spender, state: BudgetState): string | undefined {
  const { used, limit, level, uncountedSince: since } = state[spender];
  if (limit !== null && used >= limit) return `${spender}-reached-${limit}`;
  if (since !== null) return `${spender}-uncounted-${since}`;
  return level === "near" ? `${spender}-near-${limit}` : undefined;
}

/** How far beyond what has been used so far an army may go on once, as a part of its budget. */
const ONCE = 0.1;

/** The person says "go on once": what is reached gets another tenth, and what cannot be counted is accepted so far. */
export function goOnOnce(facts: BudgetFacts): BudgetDecision {
  const state = judgeBudget(facts);
  const { limits, decision, spent } = facts;
  const raised = { ...decision.raised };
  for (const spender of SPENDERS) {
    const given = limits[spender];
    const { level, used, limit } = state[spender];
    if (given === undefined || limit === null || level !== "reached") continue;
    raised[spender] = Math.max(limit, used + Math.ceil(ONCE * given)) - given;
  }
  const lost = ROLES.flatMap((role) => {
    const { since } = spent[role].uncounted ?? {};
    return since === undefined ? [] : [[role, since]];
  });
  return { raised, accepted: { ...decision.accepted, ...Object.fromEntries(lost) }, stopped: {} };
}

/** The person says "stop": nothing that is reached goes on, and they need not be asked again. */
export function stopHere(facts: BudgetFacts): BudgetDecision {
  const state = judgeBudget(facts);
  const stopped = SPENDERS.flatMap((spender) => {
    const { level, limit } = state[spender];
    return level === "reached" ? [[spender, limit]] : [];
  });
  return { ...facts.decision, stopped: Object.fromEntries(stopped) };
}

export interface Counted {
  id: string;
  byModel: Spending["conversations"][string];
}

/** What was counted before stays counted: a transcript may have been cut or replaced since. */
export function keepCounted(before: Spending["conversations"], now: readonly Counted[]) {
  const kept = { ...before };
  const shrunk: string[] = [];
  for (const { id, byModel } of now) {
    const known = addUp([{ conversations: { [id]: kept[id] ?? {} } }]);
    const found = addUp([{ conversations: { [id]: byModel } }]);
    if (sumOf(found) < sumOf(known)) shrunk.push(id);
    else kept[id] = byModel;
  }
  return { conversations: kept, shrunk };
}

function sumOf({ input, cached, output }: Record<"input" | "cached" | "output", number>): number {
  return input + cached + output;
}
