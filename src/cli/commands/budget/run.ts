/** `ovld budget`: what an army and its roles have used and may use, and the person's decisions about it. */
import { SPENDERS } from "../../../army/roles.ts";
import { lookOf, sayAnswer, type CommandContext } from "../../../command/command-context.ts";
import { readSettings } from "../../../config/settings.ts";
import { budgetOf, goOn, raiseBudget, type BudgetView } from "../../../person/budget.ts";
import { mailOfArmy, requirePerson } from "../../../person/find-runner.ts";
import { formatError } from "../../../i18n/sentences.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { formatTable, type Cell } from "../../../terminal/table.ts";

export interface BudgetFlags {
  army?: string;
  json: boolean;
}

export async function budget(
  context: CommandContext,
  flags: BudgetFlags,
  ...words: string[]
): Promise<number> {
  const army = mailOfArmy(context, flags.army);
  const { session } = army;
  const [action, amount = "", who = "army"] = words;
  const texts = context.texts.budget;
  const { prices } = readSettings(context.env);
  const view = budgetOf(army, prices);
  const trouble = army.mail.trouble();
  if (view === null) {
    if (trouble !== undefined) throw new OvldError(trouble);
    if (action !== undefined) throw new OvldError({ code: "no-budget", facts: { session, spender: "army" } });
    return sayAnswer(context, { session, budget: null }, [texts.none(session)]);
  }
  if (action !== undefined) requirePerson(context.env, "ovld budget");
  const spender = SPENDERS.find((each) => each === who);
  if (action === "go" && words.length === 1) {
    const hasGone = goOn(army);
    return sayAnswer(context, { session, went: hasGone }, [hasGone ? texts.goesOn : texts.nothingHeld]);
  }
  if (action !== undefined) {
    const tokens = readTokens(amount);
    const isMeant = action === "raise" && tokens !== undefined && spender !== undefined && words.length <= 3;
    if (!isMeant) throw new OvldError({ code: "budget-words", facts: { words } });
    raiseBudget(army, spender, tokens);
    const limit = budgetOf(army)?.[spender].limit ?? 0;
    return sayAnswer(context, { session, spender, limit }, [texts.raised(spender, limit)]);
  }
  const lines = formatBudget(context, view, prices !== undefined);
  if (trouble !== undefined) lines.push(lookOf(context).paint("bad", formatError(trouble, context.texts)));
  return sayAnswer(context, { session, budget: view }, lines);
}

const TOKENS = /^(\d[\d_,]*)([kKmM]?)$/;

/** "2000000", "2_000_000", "500k" or "2M"; undefined for anything else. */
export function readTokens(word: string): number | undefined {
  const [, digits = "", unit = ""] = TOKENS.exec(word) ?? [];
  const tokens = Number(digits.replaceAll(/[_,]/g, "")) * ({ k: 1e3, m: 1e6 }[unit.toLowerCase()] ?? 1);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

function formatBudget(context: CommandContext, view: BudgetView, hasPrices: boolean): string[] {
  const texts = context.texts.budget;
  const look = lookOf(context);
  const rows = SPENDERS.map((spender): Cell[] => {
    const { used, limit, level, input, cached, output, money } = view[spender];
    const style = level === "fine" ? undefined : level === "near" ? "warning" : "bad";
    return [
      { text: texts.names(spender), style: spender === "army" ? "strong" : spender },
      { text: texts.tokens(used), style },
      { text: limit === null ? "–" : texts.tokens(Math.max(0, limit - used)), style },
      { text: limit === null ? "–" : texts.tokens(limit) },
      ...(!hasPrices ? [] : [{ text: money === null ? "?" : money.toFixed(2) }]),
      { text: used === 0 ? "" : texts.parts(input, cached, output), style: "faint" },
    ];
  });
  const { money: moneyColumn, ...columns } = texts.columns;
  const { parts, ...first } = columns;
  const names = { ...first, ...(hasPrices && { money: moneyColumn }), parts };
  const lines = formatTable(names, rows, look);
  for (const spender of SPENDERS) {
    const { level, uncounted, isStopped } = view[spender];
    const why = isStopped ? texts.stopped(spender) : texts.reached(spender, uncounted);
    if (level === "reached") lines.push(look.paint("bad", why));
  }
  return lines;
}
