/** The budget of an army as the person sees it, and what they decide about it. */
import { perRole, ROLES, SPENDERS, type Role, type Spender } from "../army/roles.ts";
import {
  goOnOnce,
  isReached,
  judgeBudget,
  newsOf,
  stopHere,
  type BudgetFacts,
  type Share,
} from "../bell/judge-budget.ts";
import { readBudget, SUMMONED } from "../config/relay-settings.ts";
import type { Price } from "../config/settings.ts";
import { openBudgetBook, type Spending } from "../mail/records/budget.ts";
import type { ArmyMail } from "../summon/army.ts";
import { OvldError } from "../system/ovld-error.ts";
import { inspectProcess } from "../system/process.ts";

/** Undefined for an army without a budget. What its relays were started with holds also if its record cannot be read. */
function factsOf({ mail, relayDir }: ArmyMail): BudgetFacts | undefined {
  const army = mail.army();
  const [started] = army
    ? []
    : mail.presences().flatMap(({ relay }) => inspectProcess(relay)?.env[SUMMONED.budget] ?? []);
  const limits = army?.budget ?? (started === undefined ? undefined : readBudget(started));
  if (limits === undefined) return undefined;
  const book = openBudgetBook(relayDir);
  return {
    limits,
    decision: book.decision(),
    spent: perRole((role) => book.spending(role)),
    now: Date.now(),
  };
}

/** What has been used, and what it costs: null without prices, or if a model has none. */
export type BudgetView = Readonly<Record<Spender, Share & { money: number | null }>>;

export function budgetOf(army: ArmyMail, prices?: Record<string, Price>): BudgetView | null {
  const facts = factsOf(army);
  if (facts === undefined) return null;
  const state = judgeBudget(facts);
  const priced = (spender: Spender, roles: readonly Role[]) => ({
    ...state[spender],
    money:
      prices === undefined
        ? null
        : costOf(
            roles.map((role) => facts.spent[role]),
            prices,
          ),
  });
  return { army: priced("army", ROLES), ...perRole((role) => priced(role, [role])) };
}

/** Null if a model that was used has no price. A model's price also counts for its dated versions. */
export function costOf(spent: readonly Spending[], prices: Record<string, Price>): number | null {
  let sum = 0;
  for (const { conversations } of spent)
    for (const [model, tokens] of Object.values(conversations).flatMap((byModel) =>
      Object.entries(byModel),
    )) {
      const names = Object.keys(prices).filter((name) => model.startsWith(name));
      const price = prices[names.toSorted((one, other) => other.length - one.length)[0] ?? ""];
      if (price === undefined) return null;
      sum += (tokens.input * price.input + tokens.cached * price.cached + tokens.output * price.output) / 1e6;
    }
  return sum;
}

/** False if no budget keeps this role from going on. */
export function decideAboutBudget(army: ArmyMail, role: Role, says: "go" | "stop"): boolean {
  const facts = factsOf(army);
  if (facts === undefined || !isReached(judgeBudget(facts), role)) return false;
  const decision = says === "go" ? goOnOnce(facts) : stopHere(facts);
  const book = openBudgetBook(army.relayDir);
  // Whoever lets it go on knows that little is left.
  const after = judgeBudget({ ...facts, decision });
  for (const spender of SPENDERS) {
    const news = after[spender].level === "near" ? newsOf(spender, after) : undefined;
    if (news !== undefined) book.tellOnce(news, () => {});
  }
  book.recordDecision(decision);
  return true;
}

/** Lets everything go on once that has been reached. False if nothing has. */
export function goOn(army: ArmyMail): boolean {
  return ROLES.some((role) => decideAboutBudget(army, role, "go"));
}

export function raiseBudget(army: ArmyMail, spender: Spender, tokens: number): void {
  const facts = factsOf(army);
  if (facts?.limits[spender] === undefined)
    throw new OvldError({ code: "no-budget", facts: { session: army.session, spender } });
  const { decision } = facts;
  const raised = { ...decision.raised, [spender]: (decision.raised[spender] ?? 0) + tokens };
  openBudgetBook(army.relayDir).recordDecision({ ...decision, raised });
}
