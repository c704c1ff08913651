/** What an agent does in a turn: its script and its part in the play, step by step through its tools. */
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { SENDERS, type Role } from "../../army/roles.ts";
import type { Texts } from "../../i18n/texts.ts";
import { parseJson } from "../../system/json.ts";
import type { Decision, EventData } from "./hooks.ts";
import type { Memory } from "./memory.ts";
import { isRitual, react, type Cue, type Step } from "./play.ts";
import type { RelayLine, ToolAnswer } from "./relay-line.ts";
import { waitFor, type Act, type Recorder, type TurnStep } from "./script.ts";
import type { Stage } from "./stage.ts";
import type { Turn } from "./turns.ts";

export interface Performer {
  role: Role;
  texts: Texts["play"];
  acts: readonly Act[];
  workMs: number;
  stage: Pick<Stage, "say" | "note" | "ask">;
  memory: Memory;
  line: Pick<RelayLine, "call" | "ask" | "fire">;
  /** Whether this message was stored since then, although the agent did not get the answer. */
  wasSent(step: Extract<Step, { do: "send" }>, since: string): boolean;
  /** Commands that the person has allowed until the agent ends. */
  allowedForGood: Set<string>;
  record: Recorder;
}

export async function perform(
  performer: Performer,
  { prompt, steps }: Turn,
  turnOver: AbortController,
): Promise<void> {
  const { memory, acts } = performer;
  const { signal } = turnOver;
  memory.write({ type: "user", message: { role: "user", content: prompt } });
  if (steps) return followScript(performer, steps, turnOver);
  for (const { when, turn = [] } of acts) {
    const isMeant = typeof when === "object" && "prompt" in when && prompt.includes(when.prompt);
    if (isMeant) await followScript(performer, turn, turnOver);
  }
  if (isTrigger(prompt)) {
    const carried = mailIn(prompt.split("\n", 2)[1]);
    if (carried) takeMail(performer, carried);
    await finishSteps(performer, signal);
    if (!carried) await askForMail(performer, signal);
  } else memory.change({ cues: [...memory.work.cues, { cue: "prompt", text: prompt }] });
  await takeCues(performer, signal);
}

/** Rituals mention the trigger but are not one. */
function isTrigger(prompt: string): boolean {
  return prompt.includes("[MESSAGE from") && !isRitual(prompt);
}

const inbox = z.array(
  z.object({ id: z.string(), from: z.enum(SENDERS), subject: z.string(), body: z.string() }),
);

/** Short mail is on the line after its trigger; other mail is the first line of what `check_inbox` answers. */
function mailIn(line = ""): z.infer<typeof inbox> | undefined {
  return inbox.safeParse(parseJson(line)).data;
}

async function askForMail(performer: Performer, signal: AbortSignal): Promise<void> {
  const { text, failed } = await callTool(performer, "check_inbox", {}, signal, (answer) => {
    const mail = answer.failed ? undefined : mailIn(answer.text.split("\n", 1)[0]);
    if (mail) takeMail(performer, mail);
  });
  if (failed || mailIn(text.split("\n", 1)[0]) === undefined)
    performer.stage.note(performer.texts.toolFailed("check_inbox", text));
}

/** Recorded before the relay learns that the mail has arrived and removes it. A message is acted on only once. */
function takeMail({ stage, texts, memory }: Performer, mail: z.infer<typeof inbox>): void {
  const fresh = mail.filter(({ id }) => !memory.received.has(id));
  const cues = fresh.map(({ from, subject, body }): Cue => ({ cue: "mail", from, subject, body }));
  memory.change(
    { cues: [...memory.work.cues, ...cues] },
    fresh.map(({ id }) => id),
  );
  for (const { from, subject } of fresh) stage.note(texts.mailRead(from, subject));
  if (fresh.length === 0) stage.say(texts.noMail);
}

/** An earlier turn was interrupted: its remaining steps come first, but for one that was done after all. */
async function finishSteps(performer: Performer, signal: AbortSignal): Promise<void> {
  const { steps, begunAt } = performer.memory.work;
  const [first, ...others] = steps;
  const wasDone = first?.do === "send" && begunAt !== undefined && performer.wasSent(first, begunAt);
  await followPlay(performer, wasDone ? others : steps, signal);
}

async function takeCues(performer: Performer, signal: AbortSignal): Promise<void> {
  const { role, memory, texts } = performer;
  for (;;) {
    const [cue, ...cues] = memory.work.cues;
    if (cue === undefined) return;
    const { play, steps } = react(role, memory.work.play, cue, texts);
    memory.change({ play, steps, cues, begunAt: undefined });
    await followPlay(performer, steps, signal);
  }
}

async function followPlay(performer: Performer, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const { stage, texts, workMs, memory } = performer;
  const pieces = steps.filter((step) => step.do === "work").length;
  const use = async (tool: string, input: Record<string, unknown>, about: string): Promise<void> => {
    const { text, failed } = await callTool(performer, tool, input, signal);
    stage.note(failed ? texts.toolFailed(tool, text) : `${tool} ${about}`);
  };
  for (const [index, step] of steps.entries()) {
    signal.throwIfAborted();
    memory.change({ steps: steps.slice(index), begunAt: new Date().toISOString() });
    if (step.do === "status") {
      await use("update_status", { status: step.status, task: step.task }, step.status);
    } else if (step.do === "send") {
      const { to, subject, body } = step;
      await use("send_message", { to, subject, body }, `→ ${to}: ${subject}`);
    } else {
      stage.say(step.do === "work" ? `${step.text} …` : step.text);
      if (step.do === "work") await pause(workMs / pieces, undefined, { signal });
    }
  }
  if (memory.work.steps.length > 0) memory.change({ steps: [], begunAt: undefined });
}

/** As in Claude Code's transcript: the call before it is made, and its result as soon as it is there. */
async function callTool(
  { memory, line }: Performer,
  tool: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
  got: (answer: ToolAnswer) => void = () => {},
): Promise<ToolAnswer> {
  const id = `toolu_${Math.random().toString(36).slice(2)}`;
  const call = { type: "tool_use", id, name: tool, input };
  memory.write({
    type: "assistant",
    message: { role: "assistant", content: [call], stop_reason: "tool_use" },
  });
  return line.call(tool, input, signal, (answer) => {
    const result = { type: "tool_result", tool_use_id: id, content: answer.text };
    memory.write({ type: "user", message: { role: "user", content: [result] } });
    got(answer);
  });
}

async function followScript(
  performer: Performer,
  steps: readonly TurnStep[],
  turnOver: AbortController,
): Promise<void> {
  for (const step of steps) {
    if (step.do === "busy") await waitFor(step.for, turnOver.signal);
    else await askToRun(performer, step, turnOver);
  }
}

/**
 * Asks the person whether to run a command, as Claude Code does: the question is in the pane, the call of the hook is
 * open meanwhile, and the first answer counts. The danger in every agent program: an Enter that was meant for the
 * composer answers yes here.
 */
async function askToRun(
  performer: Performer,
  { command, ran }: { command: string; ran?: string | undefined },
  turnOver: AbortController,
): Promise<void> {
  const { stage, line, record, allowedForGood } = performer;
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
  await line.fire("PostToolUse", toolFor(command));
}

interface Answer {
  by: "pane" | "outside";
  decision: Decision;
}

async function firstAnswer({ stage, texts, line }: Performer, command: string): Promise<Answer> {
  const question = new AbortController();
  const call = new AbortController();
  const answerInPane = async (): Promise<Answer> => {
    const isYes = await stage.ask(texts.askToRun(command), question.signal);
    return { by: "pane", decision: { behavior: isYes ? "allow" : "deny" } };
  };
  const inPane = answerInPane();
  const answerOutside = async (): Promise<Answer> => {
    const decision = await line.ask(toolFor(command), call.signal);
    return decision === undefined ? inPane : { by: "outside", decision };
  };
  const first = await Promise.race([inPane, answerOutside()]);
  if (first.by === "outside") question.abort();
  // Like Claude Code, it says nothing of a yes in the pane except by its next hook.
  else if (first.decision.behavior === "deny") call.abort();
  return first;
}

/** The tool that a question is about, and what its dialog offers besides a single yes. */
function toolFor(command: string): EventData {
  const rules = [{ toolName: "Bash", ruleContent: command }];
  const suggestion = { type: "addRules", rules, behavior: "allow", destination: "session" };
  return {
    tool_name: "Bash",
    tool_input: JSON.stringify({ command }),
    permission_suggestions: JSON.stringify([suggestion]),
  };
}
