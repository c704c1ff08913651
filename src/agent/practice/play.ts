/**
 * The play: what each role does about a wish. The overlord turns it into an order, the strategist into four tasks, the
 * generals report, and the reports become the answer. Pure.
 */
import * as z from "zod/mini";
import { RECIPIENTS, SENDERS, type Role } from "../../army/roles.ts";
import { STATUSES, type StatusWord } from "../../army/words.ts";
import type { Texts } from "../../i18n/texts.ts";
import { LIMITS } from "../../mail/store/message.ts";
import { shorten } from "../../system/clean-text.ts";
import { addTask, doTask } from "./play-in-trees.ts";

/** What makes a role act: a message it has read, or text typed into its composer. */
export const cueSchema = z.discriminatedUnion("cue", [
  z.object({ cue: z.literal("mail"), from: z.enum(SENDERS), subject: z.string(), body: z.string() }),
  z.object({ cue: z.literal("prompt"), text: z.string() }),
]);

export type Cue = z.infer<typeof cueSchema>;
type MailCue = Extract<Cue, { cue: "mail" }>;

/** One thing that a role does; "work" takes time. */
export const stepSchema = z.discriminatedUnion("do", [
  z.object({ do: z.enum(["say", "work"]), text: z.string() }),
  z.object({ do: z.literal("status"), status: z.enum(STATUSES), task: z.string() }),
  /** In a shell, in the role's own tree. */
  z.object({ do: z.literal("run"), command: z.string() }),
  z.object({
    do: z.literal("send"),
    to: z.enum(RECIPIENTS),
    subject: z.string(),
    body: z.string(),
    status: z.optional(z.enum(STATUSES)),
  }),
]);

export type PlayStep = z.infer<typeof stepSchema>;

const GENERALS = ["inferno", "glacier", "shadow", "storm"] as const satisfies readonly Role[];

export type General = (typeof GENERALS)[number];

/** What a role remembers from one cue to the next; generals remember nothing. */
export const playSchema = z.object({
  /** The wishes or orders that are not fulfilled; the first is being carried out. */
  open: z.array(z.string()),
  /** The generals' reports on the first. */
  reports: z.partialRecord(z.enum(GENERALS), z.string()),
  /** The overlord has asked the person, and has no answer yet. */
  isAsking: z.optional(z.boolean()),
});

export type PlayMemory = z.infer<typeof playSchema>;

export const NEW_PLAY: PlayMemory = { open: [], reports: {} };

/** What a role does in response to a cue, and what it remembers then. */
export interface Reaction {
  play: PlayMemory;
  steps: PlayStep[];
}

type PlayTexts = Texts["play"];

/** How the mail ends that says that the last task has landed. */
const NOTHING_LEFT = "nothing is left";

/** `target`: the branch on which work lands, for an army with trees. */
export function react(role: Role, play: PlayMemory, cue: Cue, texts: PlayTexts, target?: string): Reaction {
  if (cue.cue === "prompt" && isRitual(cue.text)) return { play, steps: [say(texts.ready[role])] };
  if (role === "overlord") return playOverlord(play, cue, texts);
  if (cue.cue === "prompt") return { play, steps: [say(texts.idleTalk[role])] };
  if (role === "strategist") return playStrategist(play, cue, texts, target);
  return { play, steps: playGeneral(role, cue, texts, target !== undefined) };
}

/** Whether a prompt is a role's ritual: Markdown that mentions `check_inbox`, as every ritual does. */
export function isRitual(prompt: string): boolean {
  return /^#/m.test(prompt) && /\bcheck_inbox\b/.test(prompt);
}

function playOverlord(play: PlayMemory, cue: Cue, texts: PlayTexts): Reaction {
  if (cue.cue === "mail" && cue.from === "strategist") {
    const [, ...open] = play.open;
    const report = texts.wishReport(cue.body, play.isAsking === true);
    const status = setStatus(open.length === 0 ? "done" : "working", open[0] ?? cue.body);
    const told: PlayStep = { do: "send", to: "human", ...report };
    return {
      play: { ...play, open, isAsking: false },
      steps: [say(texts.wishFulfilled(cue.body)), told, status],
    };
  }
  if (cue.cue === "mail" && cue.from !== "human") return { play, steps: [say(texts.noted(cue.from))] };
  // The play goes on meanwhile: nobody may be there to answer.
  if (cue.cue === "mail" && play.isAsking && cue.subject.startsWith("Re: "))
    return { play: { ...play, isAsking: false }, steps: [say(texts.answerHeard(cue.body))] };
  const wish = cue.cue === "mail" ? cue.body : cue.text;
  const { subject, body } = texts.order(wish);
  return {
    play: { ...play, open: [...play.open, wish], isAsking: true },
    steps: [
      say(texts.wishHeard(wish)),
      setStatus("working", wish),
      { do: "send", to: "strategist", subject: shorten(subject, LIMITS.subjectCharacters - 1), body },
      { do: "send", to: "human", ...texts.question, status: "blocked" },
    ],
  };
}

function playStrategist(
  play: PlayMemory,
  { from, subject, body }: MailCue,
  texts: PlayTexts,
  target: string | undefined,
): Reaction {
  const give = (order: string): PlayStep[] => giveOut(order, texts, target !== undefined);
  if (from === "overlord" || from === "human") {
    const open = [...play.open, body];
    const steps = open.length > 1 ? [say(texts.orderWaits(body))] : give(body);
    return { play: { ...play, open }, steps };
  }
  const [order, ...waiting] = play.open;
  if (order === undefined) return { play, steps: [say(texts.noted(from))] };
  const [next] = waiting;
  const then = next === undefined ? [setStatus("done", texts.allReported)] : give(next);
  const report = (resultOf: (general: General) => string | undefined, files: string): PlayStep[] => {
    const gathered = GENERALS.map((each) => `${each}: ${resultOf(each)}`).join("\n");
    return [{ do: "send", to: "overlord", ...texts.finalReport(gathered, files) }, ...then];
  };
  const over = { open: waiting, reports: {} };
  if (target !== undefined) {
    const heard = say(subject);
    if (!subject.endsWith(NOTHING_LEFT)) return { play, steps: [heard] };
    return {
      play: over,
      steps: [heard, ...report((one) => texts.crafts[one].result, texts.landedOn(target))],
    };
  }
  const general = GENERALS.find((each) => each === from);
  if (general === undefined) return { play, steps: [] };
  const reports = { ...play.reports, [general]: body };
  const missing = GENERALS.filter((each) => reports[each] === undefined);
  const heard = say(texts.reportHeard(general, missing.length));
  if (missing.length > 0) return { play: { ...play, reports }, steps: [heard] };
  return { play: over, steps: [heard, ...report((each) => reports[each], texts.noFiles)] };
}

function giveOut(order: string, texts: PlayTexts, inTrees: boolean): PlayStep[] {
  return [
    setStatus("working", texts.planning),
    say(texts.orderSplit(GENERALS.length)),
    ...GENERALS.map((to): PlayStep => {
      const task = texts.task(to, order);
      return inTrees ? addTask(to, task) : { do: "send", to, ...task };
    }),
  ];
}

function playGeneral(
  general: General,
  { from, subject, body }: MailCue,
  texts: PlayTexts,
  inTree: boolean,
): PlayStep[] {
  const { work, result } = texts.crafts[general];
  const steps = inTree
    ? doTask(general, body, texts.crafts[general])
    : [
        ...work.map((text): PlayStep => ({ do: "work", text })),
        { do: "send" as const, to: "strategist" as const, ...texts.report(subject, result) },
      ];
  if (steps.length === 0 || (!inTree && from !== "strategist")) return [say(texts.noted(from))];
  return [setStatus("working", subject), ...steps, setStatus("done", result)];
}

function say(text: string): PlayStep {
  return { do: "say", text };
}

function setStatus(status: StatusWord, task: string): PlayStep {
  return { do: "status", status, task: shorten(task, LIMITS.taskCharacters - 1) };
}
