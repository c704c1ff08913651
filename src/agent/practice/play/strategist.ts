/** The strategist's part: it splits an order into four tasks, and combines four reports into one. */
import type { Texts } from "../../../i18n/texts.ts";
import { GENERALS, isGeneral, type General } from "./general.ts";
import type { Cue, Reaction, Step } from "./step.ts";

export interface StrategistMemory {
  /** The order being carried out comes first, then those that wait. */
  orders: readonly string[];
  /** The generals' reports on the first order. */
  reports: Readonly<Partial<Record<General, string>>>;
}

export const NO_ORDERS: StrategistMemory = { orders: [], reports: {} };

export function playStrategist(
  memory: StrategistMemory,
  cue: Cue,
  texts: Texts["play"],
): Reaction<StrategistMemory> {
  if (cue.cue === "prompt") return { memory, steps: [{ do: "say", text: texts.idleTalk.strategist }] };
  const { from, body } = cue;
  if (from === "overlord" || from === "human") return takeOrder(memory, body, texts);
  return isGeneral(from) ? takeReport(memory, from, body, texts) : { memory, steps: [] };
}

function takeOrder(
  memory: StrategistMemory,
  order: string,
  texts: Texts["play"],
): Reaction<StrategistMemory> {
  const orders = [...memory.orders, order];
  const steps: Step[] =
    orders.length > 1 ? [{ do: "say", text: texts.orderWaits(order) }] : giveOut(order, texts);
  return { memory: { ...memory, orders }, steps };
}

function giveOut(order: string, texts: Texts["play"]): Step[] {
  return [
    { do: "status", status: "working", task: texts.planning },
    { do: "say", text: texts.orderSplit(GENERALS.length) },
    ...GENERALS.map((to): Step => ({ do: "send", to, ...texts.task(to, order) })),
  ];
}

function takeReport(
  memory: StrategistMemory,
  from: General,
  report: string,
  texts: Texts["play"],
): Reaction<StrategistMemory> {
  const [order, next] = memory.orders;
  if (order === undefined) return { memory, steps: [{ do: "say", text: texts.noted(from) }] };
  const reports = { ...memory.reports, [from]: report };
  const missing = GENERALS.filter((general) => reports[general] === undefined);
  const heard: Step = { do: "say", text: texts.reportHeard(from, missing.length) };
  if (missing.length > 0) return { memory: { ...memory, reports }, steps: [heard] };
  const gathered = GENERALS.map((general) => `${general}: ${reports[general]}`).join("\n");
  return {
    memory: { orders: memory.orders.slice(1), reports: {} },
    steps: [
      heard,
      { do: "send", to: "overlord", ...texts.finalReport(gathered) },
      ...(next === undefined
        ? [{ do: "status", status: "done", task: texts.allReported } satisfies Step]
        : giveOut(next, texts)),
    ],
  };
}
