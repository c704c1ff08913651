/** Decides what becomes of the orders that a role has in hand when its turn ends, and meanwhile. Pure. */
import type { AgentState, Trouble } from "../army/words.ts";
import type { Order } from "../mail/records/orders.ts";

export interface AtEnd {
  /** The role's status is blocked. */
  isBlocked: boolean;
  /** It has said for whom it waits, or written to them. */
  hasNamed: boolean;
  /** When the role gave the latest order that somebody still works on; undefined if nobody works for it. */
  othersWorkSince: string | undefined;
  /** The person typed the turn's prompt: they see its end, and the next word is theirs. */
  isTyped: boolean;
  canRemind: boolean;
}

/**
 * `waits`: for others, and its word to whoever gave the order was not the last one. `answered`: with words that may be
 * a report, or mean no more than "On it". `closed`: the role is done with it. A trouble: whoever gave it is told, once.
 */
type Fate = "kept" | "waits" | "answered" | "closed" | "reminded" | Trouble;

export function fateAtEnd(order: Order, facts: AtEnd): Fate {
  const { kind, from, answered, rests, waits, done, told = [] } = order;
  if (done) return answered || from === "human" || told.includes("done") ? "closed" : "done";
  if (facts.isBlocked && waits)
    return facts.hasNamed || answered || told.includes("blocked") ? "waits" : "blocked";
  if (!rests && othersWorkOnIt(order, facts)) return "waits";
  // The person reads the answer, and whoever waits for one has it.
  if (answered) return from === "human" || kind === "question" ? "closed" : "answered";
  if (told.includes("stalled") || facts.isTyped) return "kept";
  return order.reminded || !facts.canRemind ? "stalled" : "reminded";
}

/** Whoever asked a question gets no answer from what others were already doing before. */
function othersWorkOnIt({ kind, at }: Order, { othersWorkSince: since }: AtEnd): boolean {
  return since !== undefined && (kind !== "question" || since >= at);
}

export interface OrderDecision {
  /** What the role has in hand from now on. */
  orders: Order[];
  reminded: Order[];
  /** Told to whoever gave each of them. */
  told: { trouble: Trouble; order: Order }[];
}

export function decideAtEnd(orders: readonly Order[], facts: AtEnd): OrderDecision {
  const fates = orders.map((order) => ({ order, fate: fateAtEnd(order, facts) }));
  const isContinued = fates.some(({ fate }) => fate === "reminded");
  const decision: OrderDecision = { orders: [], reminded: [], told: [] };
  for (const { order, fate } of fates) {
    if (fate === "reminded") decision.reminded.push(order);
    // The turn goes on, and may still answer it.
    else if (isTrouble(fate) && !(isContinued && fate === "stalled"))
      decision.told.push({ trouble: fate, order });
    const next = afterFate(order, fate);
    if (next) decision.orders.push(next);
  }
  return decision;
}

function isTrouble(fate: Fate): fate is Trouble {
  return !["kept", "waits", "answered", "closed", "reminded"].includes(fate);
}

function afterFate(order: Order, fate: Fate): Order | undefined {
  if (fate === "reminded") return { ...order, reminded: true };
  if (fate === "waits") {
    const { answered, ...rest } = order;
    const isKnown = answered && order.waits && !order.told?.includes("blocked");
    return isKnown ? { ...rest, told: [...(order.told ?? []), "blocked"] } : rest;
  }
  if (fate === "answered") return { ...order, rests: true };
  // A task stays in hand until it is handed in, but it has been spoken of.
  if (fate === "closed") return order.kind === "mail" ? undefined : { ...order, answered: true };
  return order;
}

const MINUTE = 60_000;

/** How long a trouble lasts before somebody is told: most pass by themselves. */
const PATIENCE: Partial<Record<AgentState, { trouble: Trouble; ms: number }>> = {
  idle: { trouble: "stalled", ms: 10 * MINUTE },
  asking: { trouble: "asking", ms: 10 * MINUTE },
  failed: { trouble: "failed", ms: MINUTE },
  gone: { trouble: "gone", ms: MINUTE },
  // Since its last sign of life: a turn may last for hours, but not one tool of it.
  busy: { trouble: "silent", ms: 60 * MINUTE },
  unknown: { trouble: "silent", ms: 60 * MINUTE },
};

/** The orders about which somebody is told now, because their agent has been in this state for so long. */
export function decideMeanwhile(
  orders: readonly Order[],
  { state, forMs, ...facts }: { state: AgentState; forMs: number } & AtEnd,
): OrderDecision["told"] {
  const { trouble, ms } = PATIENCE[state] ?? {};
  if (trouble === undefined || ms === undefined || forMs < ms) return [];
  return orders.flatMap((order) => {
    const { done, rests, told = [] } = order;
    if (told.includes(trouble)) return [];
    if (trouble !== "stalled") return done || rests ? [] : [{ trouble, order }];
    const fate = fateAtEnd(order, { ...facts, isTyped: false, canRemind: false });
    const isUnclear = fate === "answered" && facts.othersWorkSince === undefined && !told.includes("idle");
    if (isUnclear) return [{ trouble: "idle", order }];
    return isTrouble(fate) ? [{ trouble: fate, order }] : [];
  });
}

/** What a role has in hand now. `current` are the tasks and questions that wait for it at this moment. */
export function bringUpToDate(known: readonly Order[], current: readonly Order[]): Order[] {
  const kept = known.filter(({ kind, id }) => kind === "mail" || current.some((each) => each.id === id));
  return [...kept, ...current.filter(({ id }) => !kept.some((order) => order.id === id))];
}
