/** One role's part in the play, with the memory it keeps between turns. */
import * as z from "zod/mini";
import type { Role, Sender } from "../../army/roles.ts";
import type { Texts } from "../../i18n/texts.ts";
import type { StatusWord } from "../../army/words.ts";
import { LIMITS } from "../../mail/store/message.ts";

export interface Play {
  (cue: Cue): Step[];
  /** The current memory of the part, as JSON. */
  memory: () => unknown;
}

const GENERALS = ["inferno", "glacier", "shadow", "storm"] as const satisfies readonly Role[];

const overlordMemory: z.ZodMiniType<OverlordMemory> = z.array(z.string());
const strategistMemory: z.ZodMiniType<StrategistMemory> = z.object({
  orders: z.array(z.string()),
  reports: z.partialRecord(z.enum(GENERALS), z.string()),
});

/** `memory` is what the same part remembered in an earlier process, if any. */
export function beginPlay(role: Role, texts: Texts["play"], memory?: unknown): Play {
  const play = partOf(role, texts, memory);
  const react = (cue: Cue): Step[] =>
    cue.cue === "prompt" && isRitual(cue.text) ? [{ do: "say", text: texts.ready[role] }] : play(cue);
  return Object.assign(react, { memory: play.memory });
}

function partOf(role: Role, texts: Texts["play"], memory: unknown): Play {
  switch (role) {
    case "overlord":
      return remembering(overlordMemory.safeParse(memory).data ?? [], (before, cue) =>
        playOverlord(before, cue, texts),
      );
    case "strategist":
      return remembering(strategistMemory.safeParse(memory).data ?? NO_ORDERS, (before, cue) =>
        playStrategist(before, cue, texts),
      );
    case "inferno":
    case "glacier":
    case "shadow":
    case "storm":
      return remembering(null, (before, cue) => ({ memory: before, steps: playGeneral(role, cue, texts) }));
  }
}

function remembering<Memory>(before: Memory, react: (memory: Memory, cue: Cue) => Reaction<Memory>): Play {
  let memory = before;
  const play = (cue: Cue): Step[] => {
    const reaction = react(memory, cue);
    memory = reaction.memory;
    return reaction.steps;
  };
  return Object.assign(play, { memory: () => memory });
}

/** Whether a prompt is a role's ritual: Markdown that mentions `check_inbox`, as every ritual does. */
export function isRitual(prompt: string): boolean {
  return /^#/m.test(prompt) && /\bcheck_inbox\b/.test(prompt);
}

/** One thing that a role does in the play. */

export type Step =
  | { do: "say"; text: string }
  /** A part of the work, which takes time. */
  | { do: "work"; text: string }
  | { do: "status"; status: StatusWord; task: string }
  | { do: "send"; to: Role; subject: string; body: string };

/** What makes a role act: a message it has read, or text typed into its composer. */
export type Cue =
  { cue: "mail"; from: Sender; subject: string; body: string } | { cue: "prompt"; text: string };

/** What a role remembers after a cue, and what it does in response. */
interface Reaction<Memory> {
  memory: Memory;
  steps: Step[];
}

/** The strategist's part: it splits an order into four tasks, and combines four reports into one. */

interface StrategistMemory {
  /** The order being carried out comes first, then those that wait. */
  orders: readonly string[];
  /** The generals' reports on the first order. */
  reports: Readonly<Partial<Record<General, string>>>;
}

const NO_ORDERS: StrategistMemory = { orders: [], reports: {} };

function playStrategist(
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

/** A general's part: take a task, work on it visibly, report. The four differ in their skills. */

type General = (typeof GENERALS)[number];

function isGeneral(sender: Sender): sender is General {
  return GENERALS.some((general) => general === sender);
}

/** A general remembers nothing from one task to the next. */
function playGeneral(general: General, cue: Cue, texts: Texts["play"]): Step[] {
  if (cue.cue === "prompt") return [{ do: "say", text: texts.idleTalk[general] }];
  if (cue.from !== "strategist") return [{ do: "say", text: texts.noted(cue.from) }];
  const craft = texts.crafts[general];
  return [
    { do: "status", status: "working", task: cue.subject },
    ...craft.work.map((text): Step => ({ do: "work", text })),
    { do: "send", to: "strategist", ...texts.report(cue.subject, craft.result) },
    { do: "status", status: "done", task: craft.result },
  ];
}

/** The overlord's part: it turns a wish into an order, and the strategist's report into the answer. */

/** The wishes that are being worked on, oldest first. */
type OverlordMemory = readonly string[];

function playOverlord(wishes: OverlordMemory, cue: Cue, texts: Texts["play"]): Reaction<OverlordMemory> {
  if (cue.cue === "mail" && cue.from === "strategist") return tellReport(wishes, cue.body, texts);
  if (cue.cue === "mail" && cue.from !== "human") {
    return { memory: wishes, steps: [{ do: "say", text: texts.noted(cue.from) }] };
  }
  const wish = cue.cue === "mail" ? cue.body : cue.text;
  const { subject, body } = texts.order(wish);
  return {
    memory: [...wishes, wish],
    steps: [
      { do: "say", text: texts.wishHeard(wish) },
      { do: "status", status: "working", task: cut(wish, LIMITS.taskCharacters) },
      { do: "send", to: "strategist", subject: cut(subject, LIMITS.subjectCharacters), body },
    ],
  };
}

function tellReport(wishes: OverlordMemory, report: string, texts: Texts["play"]): Reaction<OverlordMemory> {
  const [, ...others] = wishes;
  return {
    memory: others,
    steps: [
      { do: "say", text: texts.wishFulfilled(report) },
      {
        do: "status",
        status: others.length === 0 ? "done" : "working",
        task: cut(others[0] ?? report, LIMITS.taskCharacters),
      },
    ],
  };
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
