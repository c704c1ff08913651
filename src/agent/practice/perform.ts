/** What an agent does in a turn: its script and its part in the play, step by step through its tools. */
import type { Texts } from "../../i18n/texts.ts";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { SENDERS } from "../../army/roles.ts";
import { parseJson } from "../../system/json.ts";
import { waitFor, type Act, type TurnStep, type Recorder } from "./script.ts";
import { isRitual, type Play, type Cue, type Step } from "./play.ts";
import type { Decision } from "./hooks.ts";
import type { Memory } from "./memory.ts";
import type { Stage } from "./stage.ts";
import type { ToolAnswer } from "./relay-line.ts";
import type { Turn } from "./turns.ts";
import { appendFileSync } from "node:fs";

export interface Performer {
  play: Play;
  texts: Texts["play"];
  acts: readonly Act[];
  workMs: number;
  stage: Stage;
  memory: Memory;
  /** Whether this message was stored since then, although the agent did not get the answer. */
  wasSent(step: Extract<Step, { do: "send" }>, since: string): boolean;
  /** Calls a tool and fires the hooks for it. */
  call(
    tool: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
    got?: (answer: ToolAnswer) => void,
  ): Promise<ToolAnswer>;
  /** Fires the hook for an open question; undefined if it decides nothing. */
  asking: (command: string, withdrawn: AbortSignal) => Promise<Decision | undefined>;
  /** Fires the hook for a command that was allowed and has run. */
  allowed(command: string): Promise<void>;
  /** Commands that the person has allowed until the agent ends. */
  allowedForGood: Set<string>;
  record: Recorder;
}

/** Rituals mention the trigger but are not one. */
function isTrigger(prompt: string): boolean {
  return prompt.includes("[MESSAGE from") && !isRitual(prompt);
}

const inbox = z.array(
  z.object({
    id: z.string(),
    from: z.enum(SENDERS),
    subject: z.string(),
    body: z.string(),
    redelivered: z.optional(z.boolean()),
  }),
);

/** Remembers which messages it has acted on, so that a redelivered one is not acted on twice. */
export function createPerformance(performer: Performer) {
  const { memory } = performer;
  return async ({ prompt, steps }: Turn, turnOver: AbortController): Promise<void> => {
    const { signal } = turnOver;
    memory.write({ type: "user", message: { role: "user", content: prompt } });
    if (steps) return followScript(performer, steps, turnOver);
    for (const { when, turn = [] } of performer.acts) {
      const meant = typeof when === "object" && "prompt" in when && prompt.includes(when.prompt);
      if (meant) await followScript(performer, turn, turnOver);
    }
    if (isTrigger(prompt)) {
      const carried = mailIn(prompt);
      if (carried) takeMail(performer, carried);
      await finishOpenWork(performer, signal);
      if (!carried) await askForMail(performer, signal);
    } else memory.note({ of: "cues", ids: [], cues: [{ cue: "prompt", text: prompt }] });
    await takeCues(performer, signal);
  };
}

/** An earlier turn was interrupted: its remaining steps come first, after checking whether the first one was done. */
async function finishOpenWork(performer: Performer, signal: AbortSignal): Promise<void> {
  const { memory } = performer;
  const { steps, begunAt, cues } = memory.open;
  const [first, ...others] = steps;
  if (first === undefined) return;
  const wasDone = first.do === "send" && begunAt !== undefined && performer.wasSent(first, begunAt);
  const left = wasDone ? others : steps;
  memory.note({ of: "plan", memory: memory.play, steps: [...left], cues: [...cues] });
  await followPlay(performer, left, signal);
}

async function takeCues(performer: Performer, signal: AbortSignal): Promise<void> {
  const { memory, play } = performer;
  for (;;) {
    const [cue, ...others] = memory.open.cues;
    if (cue === undefined) return;
    const steps = play(cue);
    memory.note({ of: "plan", memory: play.memory(), steps, cues: others });
    await followPlay(performer, steps, signal);
  }
}

type ReadMail = z.infer<typeof inbox>;

/** Short mail is on the line after its trigger. */
function mailIn(prompt: string): ReadMail | undefined {
  const [, line] = prompt.split("\n", 2);
  return line === undefined ? undefined : inbox.safeParse(parseJson(line)).data;
}

async function askForMail(performer: Performer, signal: AbortSignal): Promise<void> {
  const { text, failed } = await performer.call("check_inbox", {}, signal, (answer) => {
    const mail = answer.failed ? undefined : mailOf(answer.text);
    if (mail) takeMail(performer, mail);
  });
  if (failed || mailOf(text) === undefined)
    performer.stage.note(performer.texts.toolFailed("check_inbox", text));
}

/** The list is on one line; a remark may follow. */
function mailOf(answer: string): ReadMail | undefined {
  return inbox.safeParse(parseJson(answer.split("\n", 1).join(""))).data;
}

/** Recorded before the relay learns that the mail has arrived and removes it. */
function takeMail({ stage, texts, memory }: Performer, mail: ReadMail): void {
  const fresh = mail.filter(({ id }) => !memory.seen.has(id));
  const cues = fresh.map(({ from, subject, body }): Cue => ({ cue: "mail", from, subject, body }));
  memory.note({ of: "cues", ids: fresh.map(({ id }) => id), cues });
  for (const { from, subject } of fresh) stage.note(texts.mailRead(from, subject));
  if (fresh.length === 0) stage.say(texts.noMail);
}

async function followPlay(performer: Performer, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const { stage, texts, workMs, memory } = performer;
  const pieces = steps.filter((step) => step.do === "work").length;
  const use = async (tool: string, input: Record<string, unknown>, about: string): Promise<void> => {
    const { text, failed } = await performer.call(tool, input, signal);
    stage.note(failed ? texts.toolFailed(tool, text) : `${tool} ${about}`);
  };
  for (const [index, step] of steps.entries()) {
    signal.throwIfAborted();
    memory.note({ of: "begins", step: index });
    if (step.do === "status") {
      await use("update_status", { status: step.status, task: step.task }, step.status);
    } else if (step.do === "send") {
      const { to, subject, body } = step;
      await use("send_message", { to, subject, body }, `→ ${to}: ${subject}`);
    } else {
      stage.say(step.do === "work" ? `${step.text} …` : step.text);
      if (step.do === "work") await pause(workMs / pieces, undefined, { signal });
    }
    memory.note({ of: "did", step: index });
  }
}

async function followScript(
  performer: Performer,
  steps: readonly TurnStep[],
  turnOver: AbortController,
): Promise<void> {
  for (const step of steps) {
    if (step.do === "busy") await waitFor(step.for, turnOver.signal);
    else if (step.do === "say") performer.stage.say(step.text);
    else await askToRun(performer, step, turnOver);
  }
}

/**
 * Asks the person whether to run a command, as Claude Code does: the question is in the pane, the call of the hook is
 * open meanwhile, and the first answer counts.
 */

interface Answer {
  by: "pane" | "outside";
  decision: Decision;
}

/** The danger in every agent program: an Enter that was meant for the composer answers yes here. */
async function askToRun(
  performer: Performer,
  { command, ran }: { command: string; ran?: string | undefined },
  turnOver: AbortController,
): Promise<void> {
  const { stage, record, allowedForGood } = performer;
  if (!allowedForGood.has(command)) {
    record({ event: "asked", command });
    const { by, decision } = await firstAnswer(performer, command);
    if (decision.behavior === "deny") {
      record({ event: "refused", command, by });
      // As in Claude Code, a refusal in the pane ends the turn, and one from outside does not.
      if (by === "outside") return stage.note(decision.message ?? "");
      turnOver.abort();
      turnOver.signal.throwIfAborted();
    } else if (decision.updatedPermissions !== undefined) allowedForGood.add(command);
    record({ event: "approved", command, by });
  }
  if (ran !== undefined) appendFileSync(ran, `${command}\n`);
  await performer.allowed(command);
}

async function firstAnswer({ stage, texts, asking }: Performer, command: string): Promise<Answer> {
  const question = new AbortController();
  const call = new AbortController();
  const answerInPane = async (): Promise<Answer> => {
    const isYes = await stage.ask(texts.askToRun(command), question.signal);
    return { by: "pane", decision: { behavior: isYes ? "allow" : "deny" } };
  };
  const inPane = answerInPane();
  const answerOutside = async (): Promise<Answer> => {
    const decision = await asking(command, call.signal);
    return decision === undefined ? inPane : { by: "outside", decision };
  };
  const first = await Promise.race([inPane, answerOutside()]);
  if (first.by === "outside") question.abort();
  // Like Claude Code, it says nothing of a yes in the pane except by its next hook.
  else if (first.decision.behavior === "deny") call.abort();
  return first;
}
