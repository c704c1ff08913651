/**
 * The play: what each role does about a wish. The overlord turns it into an order, the strategist into four tasks, the
 * generals report, and the reports become the answer. Pure.
 */
import * as z from "zod/mini";
import { ROLES, SENDERS, type Role, type Sender } from "../../army/roles.ts";
import { STATUSES } from "../../army/words.ts";
import type { Texts } from "../../i18n/texts.ts";
import { LIMITS } from "../../mail/store/message.ts";

/** What makes a role act: a message it has read, or text typed into its composer. */
export const cueSchema = z.discriminatedUnion("cue", [
  z.object({ cue: z.literal("mail"), from: z.enum(SENDERS), subject: z.string(), body: z.string() }),
  z.object({ cue: z.literal("prompt"), text: z.string() }),
]);

export type Cue = z.infer<typeof cueSchema>;

/** One thing that a role does; "work" takes time. */
export const stepSchema = z.discriminatedUnion("do", [
  z.object({ do: z.enum(["say", "work"]), text: z.string() }),
  z.object({ do: z.literal("status"), status: z.enum(STATUSES), task: z.string() }),
  z.object({ do: z.literal("send"), to: z.enum(ROLES), subject: z.string(), body: z.string() }),
]);

export type Step = z.infer<typeof stepSchema>;

const GENERALS = ["inferno", "glacier", "shadow", "storm"] as const satisfies readonly Role[];

type General = (typeof GENERALS)[number];

/** What a role remembers from one cue to the next; generals remember nothing. */
export const playSchema = z.object({
  /** The wishes or orders that are not fulfilled; the first is being carried out. */
  open: z.array(z.string()),
  /** The generals' reports on the first. */
  reports: z.partialRecord(z.enum(GENERALS), z.string()),
});

export type PlayMemory = z.infer<typeof playSchema>;

export const NEW_PLAY: PlayMemory = { open: [], reports: {} };

/** What a role does in response to a cue, and what it remembers then. */
export interface Reaction {
  play: PlayMemory;
  steps: Step[];
}

type PlayTexts = Texts["play"];

export function react(role: Role, play: PlayMemory, cue: Cue, texts: PlayTexts): Reaction {
  if (cue.cue === "prompt" && isRitual(cue.text)) return { play, steps: [say(texts.ready[role])] };
  if (role === "overlord") return playOverlord(play, cue, texts);
  if (role === "strategist") return playStrategist(play, cue, texts);
  return { play, steps: playGeneral(role, cue, texts) };
}

/** Whether a prompt is a role's ritual: Markdown that mentions `check_inbox`, as every ritual does. */
export function isRitual(prompt: string): boolean {
  return /^#/m.test(prompt) && /\bcheck_inbox\b/.test(prompt);
}

function playOverlord(play: PlayMemory, cue: Cue, texts: PlayTexts): Reaction {
  if (cue.cue === "mail" && cue.from === "strategist") {
    const [, ...open] = play.open;
    const task = cut(open[0] ?? cue.body, LIMITS.taskCharacters);
    const status = open.length === 0 ? "done" : "working";
    return {
      play: { ...play, open },
      steps: [say(texts.wishFulfilled(cue.body)), { do: "status", status, task }],
    };
  }
  if (cue.cue === "mail" && cue.from !== "human") return { play, steps: [say(texts.noted(cue.from))] };
  const wish = cue.cue === "mail" ? cue.body : cue.text;
  const { subject, body } = texts.order(wish);
  return {
    play: { ...play, open: [...play.open, wish] },
    steps: [
      say(texts.wishHeard(wish)),
      { do: "status", status: "working", task: cut(wish, LIMITS.taskCharacters) },
      { do: "send", to: "strategist", subject: cut(subject, LIMITS.subjectCharacters), body },
    ],
  };
}

function playStrategist(play: PlayMemory, cue: Cue, texts: PlayTexts): Reaction {
  if (cue.cue === "prompt") return { play, steps: [say(texts.idleTalk.strategist)] };
  const { from, body } = cue;
  if (from === "overlord" || from === "human") {
    const open = [...play.open, body];
    const steps = open.length > 1 ? [say(texts.orderWaits(body))] : giveOut(body, texts);
    return { play: { ...play, open }, steps };
  }
  return isGeneral(from) ? takeReport(play, from, body, texts) : { play, steps: [] };
}

function giveOut(order: string, texts: PlayTexts): Step[] {
  return [
    { do: "status", status: "working", task: texts.planning },
    say(texts.orderSplit(GENERALS.length)),
    ...GENERALS.map((to): Step => ({ do: "send", to, ...texts.task(to, order) })),
  ];
}

function takeReport(play: PlayMemory, from: General, report: string, texts: PlayTexts): Reaction {
  const [order, ...waiting] = play.open;
  if (order === undefined) return { play, steps: [say(texts.noted(from))] };
  const reports = { ...play.reports, [from]: report };
  const missing = GENERALS.filter((general) => reports[general] === undefined);
  const heard = say(texts.reportHeard(from, missing.length));
  if (missing.length > 0) return { play: { ...play, reports }, steps: [heard] };
  const gathered = GENERALS.map((general) => `${general}: ${reports[general]}`).join("\n");
  const [next] = waiting;
  const then: Step[] =
    next === undefined ? [{ do: "status", status: "done", task: texts.allReported }] : giveOut(next, texts);
  return {
    play: { open: waiting, reports: {} },
    steps: [heard, { do: "send", to: "overlord", ...texts.finalReport(gathered) }, ...then],
  };
}

function playGeneral(general: General, cue: Cue, texts: PlayTexts): Step[] {
  if (cue.cue === "prompt") return [say(texts.idleTalk[general])];
  if (cue.from !== "strategist") return [say(texts.noted(cue.from))];
  const craft = texts.crafts[general];
  return [
    { do: "status", status: "working", task: cue.subject },
    ...craft.work.map((text): Step => ({ do: "work", text })),
    { do: "send", to: "strategist", ...texts.report(cue.subject, craft.result) },
    { do: "status", status: "done", task: craft.result },
  ];
}

function isGeneral(sender: Sender): sender is General {
  return GENERALS.some((general) => general === sender);
}

function say(text: string): Step {
  return { do: "say", text };
}

function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
