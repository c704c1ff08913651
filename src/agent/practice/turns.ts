/**
 * The agent's turns, one after another: what is submitted during a turn waits for its end. In a turn it follows its
 * part in the play, step by step through its tools.
 */
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { SENDERS, type Role } from "../../army/roles.ts";
import type { Texts } from "../../i18n/texts.ts";
import { parseJson } from "../../system/json.ts";
import { currentFolder } from "../../system/platform.ts";
import { runProgram, type Environment } from "../../system/run-program.ts";
import { RELAY_SERVER } from "../hook-call.ts";
import { NO_WORK, type Memory } from "./memory.ts";
import { isRitual, react, type Cue, type PlayStep } from "./play.ts";
import type { RelayLine, ToolAnswer } from "./relay-line.ts";
import type { Drill, Recorder } from "./script.ts";
import type { AgentStage } from "./stage.ts";

export interface Agent {
  role: Role;
  texts: Texts["play"];
  workMs: number;
  /** The branch on which work lands, and what its commands run with; undefined for an army in one checkout. */
  tree?: { target: string; env: Environment } | undefined;
  stage: Pick<AgentStage, "say" | "quote" | "note" | "show">;
  memory: Memory;
  line: Pick<RelayLine, "call" | "fire">;
  /** Whether this message was stored since then, although the agent did not get the answer. */
  wasSent: (step: Extract<PlayStep, { do: "send" }>, since: string) => boolean;
  record: Recorder;
  drill?: Pick<Drill, "during"> | undefined;
}

/** What starts a turn: a prompt, and what replaces the play, if anything. */
export interface Turn {
  prompt: string;
  act?: ((over: AbortController) => Promise<void>) | undefined;
}

export function takeTurns(agent: Agent) {
  const queue: Turn[] = [];
  let current: AbortController | undefined;
  const show = (): void =>
    agent.stage.show({ busy: current !== undefined, queued: queue.map(({ prompt }) => prompt) });
  const runAll = async (): Promise<void> => {
    for (let turn = queue.shift(); turn; turn = queue.shift()) {
      current = new AbortController();
      show();
      await runTurn(agent, turn, current);
      current = undefined;
    }
    show();
  };
  return {
    submit(turn: Turn) {
      queue.push(turn);
      if (current) show();
      else void runAll();
    },
    interrupt: () => current?.abort(),
  };
}

/** It waits for others that take their tasks. */
const COMMAND_MS = 120_000;
/** As in Claude Code: after this many times in a row, a hook can no longer keep a turn going. */
const MOST_CONTINUATIONS = 8;

async function runTurn(agent: Agent, turn: Turn, turnOver: AbortController): Promise<void> {
  const { stage, line, memory, record, texts } = agent;
  const { prompt } = turn;
  record("turn begun", { prompt });
  stage.quote(prompt);
  await line.fire("UserPromptSubmit", { prompt });
  let how: "done" | "interrupted" | "failed" = "done";
  try {
    let now: Turn | undefined = turn;
    // A turn ends when its Stop hook adds nothing.
    for (let continuations = 0; now; continuations += 1) {
      await perform(agent, now, turnOver);
      turnOver.signal.throwIfAborted();
      const { additionalContext: context } = await line.fire("Stop", {});
      now = context && continuations < MOST_CONTINUATIONS ? { prompt: context } : undefined;
      if (now) record("turn goes on", { prompt: now.prompt });
    }
  } catch (error) {
    how = turnOver.signal.aborted ? "interrupted" : "failed";
    stage.note(how === "interrupted" ? texts.interrupted : String(error));
  }
  // All its work was done, or the person does not want it done.
  if (how !== "failed") {
    memory.change(NO_WORK);
    memory.write("assistant", [], "end_turn");
  }
  if (how !== "done") await line.fire("StopFailure", { error: how === "interrupted" ? how : "unknown" });
  record("turn ended", { how });
}

export async function perform(agent: Agent, turn: Turn, turnOver: AbortController): Promise<void> {
  const { memory, drill } = agent;
  const { prompt, act } = turn;
  memory.write("user", prompt);
  if (act) return act(turnOver);
  await drill?.during(prompt, turnOver);
  // Rituals mention the trigger but are not one.
  if (prompt.includes("[MESSAGE from") && !isRitual(prompt)) {
    const carried = mailIn(prompt.split("\n", 2)[1]);
    if (carried) takeMail(agent, carried);
    else {
      await doWork(agent, turnOver);
      await askForMail(agent, turnOver.signal);
    }
  } else if (prompt.startsWith("[REMINDER from ovld]")) {
    const { steps: planned } = memory.work;
    memory.change({ steps: [...planned, { do: "status", status: "done", task: "" }] });
  } else memory.change({ cues: [...memory.work.cues, { cue: "prompt", text: prompt }] });
  await doWork(agent, turnOver);
}

const inbox = z.array(
  z.object({ id: z.string(), from: z.enum(SENDERS), subject: z.string(), body: z.string() }),
);

/** Short mail is on the line after its trigger; other mail is the first line of what `check_inbox` answers. */
function mailIn(line = ""): z.infer<typeof inbox> | undefined {
  return inbox.safeParse(parseJson(line)).data;
}

function askForMail(agent: Agent, signal: AbortSignal): Promise<void> {
  const { stage, texts } = agent;
  return callTool(agent, "check_inbox", {}, signal, ({ text, failed }) => {
    const mail = failed ? undefined : mailIn(text.split("\n", 1)[0]);
    if (mail) takeMail(agent, mail);
    else stage.note(texts.toolFailed("check_inbox", text));
  });
}

/** Recorded before the relay learns that the mail has arrived and removes it. A message is acted on only once. */
function takeMail({ stage, texts, memory }: Agent, mail: z.infer<typeof inbox>): void {
  const fresh = mail.filter(({ id }) => !memory.work.received.includes(id));
  const cues = fresh.map(({ from, subject, body }): Cue => ({ cue: "mail", from, subject, body }));
  memory.change({
    received: [...memory.work.received, ...fresh.map(({ id }) => id)],
    cues: [...memory.work.cues, ...cues],
  });
  for (const { from, subject } of fresh) stage.note(texts.mailRead(from, subject));
  if (fresh.length === 0) stage.say(texts.noMail);
}

/**
 * Does what is left to do: first the steps that were planned, perhaps in a turn that was cut off, but for one that was
 * done after all; then what there is to do about one cue after the other.
 */
async function doWork(agent: Agent, turnOver: AbortController): Promise<void> {
  const { role, memory, texts, wasSent, tree } = agent;
  for (;;) {
    const { steps: planned, begunAt } = memory.work;
    const [first, ...others] = planned;
    const wasDone = first?.do === "send" && begunAt !== undefined && wasSent(first, begunAt);
    await followPlay(agent, wasDone ? others : planned, turnOver);
    const [cue, ...cues] = memory.work.cues;
    if (cue === undefined) return;
    const { play, steps } = react(role, memory.work.play, cue, texts, tree?.target);
    memory.change({ play, steps, cues, begunAt: undefined });
  }
}

async function followPlay(agent: Agent, steps: readonly PlayStep[], over: AbortController): Promise<void> {
  const { stage, texts, workMs, memory, drill } = agent;
  const { signal } = over;
  const pieces = steps.filter((step) => step.do === "work").length;
  const use = (tool: string, input: Record<string, unknown>, about: string): Promise<void> =>
    callTool(agent, tool, input, signal, ({ text, failed }) =>
      stage.note(failed ? texts.toolFailed(tool, text) : `${tool} ${about}`),
    );
  for (const [index, step] of steps.entries()) {
    signal.throwIfAborted();
    memory.change({ steps: steps.slice(index), begunAt: new Date().toISOString() });
    const { do: kind, ...input } = step;
    if (step.do === "status") await use("update_status", input, step.status);
    else if (step.do === "send") await use("send_message", input, `→ ${step.to}: ${step.subject}`);
    else if (step.do === "run") await runCommand(agent, step.command, signal);
    else stage.say(kind === "work" ? `${step.text} …` : step.text);
    if (step.do !== "work") continue;
    await drill?.during(step.text, over);
    await pause(workMs / pieces, undefined, { signal });
    await agent.line.fire("PostToolUse", { tool_name: "Edit" });
  }
  if (memory.work.steps.length > 0) memory.change({ steps: [], begunAt: undefined });
}

/** Shows what it said, as an agent would see it. */
async function runCommand({ stage, tree, record }: Agent, command: string, stop: AbortSignal): Promise<void> {
  const cwd = currentFolder();
  const run = await runProgram("/bin/sh", ["-c", command], {
    env: tree?.env ?? {},
    cwd,
    deadlineMs: COMMAND_MS,
    stop,
  });
  stop.throwIfAborted();
  stage.note(`$ ${command}\n${run.stdout}${run.stderr}`.trimEnd());
  record("command run", { command, code: run.code });
}

/**
 * As in Claude Code's transcript: the call before it is made, and its result as soon as it is there. `got` receives
 * the answer before a hook reports that it arrived.
 */
async function callTool(
  { memory, line, record }: Agent,
  tool: string,
  input: Record<string, unknown>,
  signal: AbortSignal,
  got: (answer: ToolAnswer) => void,
): Promise<void> {
  const id = `toolu_${Math.random().toString(36).slice(2)}`;
  const about = { tool_name: `mcp__${RELAY_SERVER}__${tool}` };
  memory.write("assistant", [{ type: "tool_use", id, name: tool, input }], "tool_use");
  await line.fire("PreToolUse", about);
  const answer = await line.call(tool, input, { signal });
  memory.write("user", [{ type: "tool_result", tool_use_id: id, content: answer.text }]);
  got(answer);
  record("tool called", { tool, failed: answer.failed });
  await line.fire("PostToolUse", about);
}
