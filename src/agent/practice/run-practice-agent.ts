/**
 * Runs the practice agent, from reading its two files to its end.
 *
 * It takes the place of Claude Code: a program in a pane with a composer, an MCP client that starts its own relay,
 * and hooks that report to the relay. Only a submitted prompt and the answer of its Stop hook can wake it.
 */
import type { Texts } from "../../i18n/texts.ts";
import type { Role } from "../../army/roles.ts";
import { CONVERSATION_IN_USE } from "../../army/words.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import { readHookSettings, type EventData } from "./hooks.ts";
import {
  openMemory,
  type Memory,
  type TranscriptLine,
  resumePractice,
  wasSent,
  type PracticeStart,
} from "./memory.ts";
import { readMcpConfig } from "./mcp-config.ts";
import { waitFor, readScript, type Act, openRecording } from "./script.ts";
import { createPerformance } from "./perform.ts";
import { wantsColour } from "../../terminal/paint.ts";
import { beginPlay } from "./play.ts";
import { createRelayLine, type ToolAnswer } from "./relay-line.ts";
import { openStage } from "./stage.ts";
import { takeTurns } from "./turns.ts";

export interface AgentStart extends PracticeStart {
  mcpConfigFile: string;
  settingsFile: string;
  texts: Texts["play"];
  /** Tells the person that another process has the role's conversation. */
  refuse: (role: Role, process: ProcessIdentity) => void;
}

/** The prompt of a turn that the script starts. */
const SCRIPTED = "(script)";

/** The tool that a scripted question is about, and what its dialog offers besides a single yes. */
function askedTool(command: string): EventData {
  const rules = [{ toolName: "Bash", ruleContent: command }];
  return {
    tool_name: "Bash",
    tool_input: JSON.stringify({ command }),
    permission_suggestions: JSON.stringify([
      { type: "addRules", rules, behavior: "allow", destination: "session" },
    ]),
  };
}

/** Returns the exit code. */
export async function runPracticeAgent(start: AgentStart): Promise<number> {
  const { env, texts } = start;
  const server = readMcpConfig(start.mcpConfigFile);
  const settings = readHookSettings(start.settingsFile);
  const script = readScript(env);
  const { listTools, acts = [] } = script.of(server.role);
  const record = openRecording(env, server.role);
  const conversation = await resumePractice(server, start);
  if (conversation !== undefined && "inUseBy" in conversation) {
    start.refuse(server.role, conversation.inUseBy);
    return CONVERSATION_IN_USE;
  }
  const memory = openMemory(conversation?.transcript);
  const end = endOf(start.stop);

  const stage = openStage(
    {
      submitted(prompt) {
        record({ event: "submitted", prompt });
        turns.submit({ prompt });
      },
      interrupted: () => turns.interrupt(),
      drafted: (text) => record({ event: "draft", text }),
      leaving: () => end.come(0),
    },
    { coloured: wantsColour(env, true) },
  );
  const line = createRelayLine({ server, settings, env, stage, texts, record, conversation });
  const perform = createPerformance({
    play: beginPlay(server.role, texts, memory.play),
    texts,
    acts,
    workMs: script.workMs,
    stage,
    memory,
    wasSent: (step, since) => wasSent(server, step, since),
    call: (tool, input, signal, got) => line.call(tool, input, signal, noteCall(memory, tool, input, got)),
    asking: (command, withdrawn) => line.ask(askedTool(command), withdrawn),
    allowed: async (command) => void (await line.fire("PostToolUse", askedTool(command))),
    allowedForGood: new Set(),
    record,
  });
  const turns = takeTurns({
    perform,
    fire: (event, data) => line.fire(event, data),
    begun: ({ prompt }) => stage.quote(prompt),
    broken: (error, interrupted) => stage.note(interrupted ? texts.interrupted : String(error)),
    ended() {
      memory.note({ of: "end" });
      memory.write(END_OF_TURN);
    },
    changed({ busy, waiting }) {
      stage.setBusy(busy);
      stage.setQueue(waiting);
    },
    record,
  });
  const follow = ({ draft, turn, exit }: Act): void => {
    if (draft !== undefined) stage.setDraft(draft);
    if (turn) turns.submit({ prompt: SCRIPTED, steps: turn });
    if (exit !== undefined) end.come(exit);
  };

  stage.say(texts.greeting(server.role));
  await Promise.race([
    line.open(async () => {
      if (listTools) await waitFor(listTools, end.signal);
    }),
    end.reached,
  ]);
  for (const act of acts) void followInTime(act, follow, end.signal);
  const exitCode = await end.reached;
  // A turn that the end of the process interrupts is not over.
  memory.close();
  turns.interrupt();
  stage.leave();
  record({ event: "left" });
  await line.close();
  return exitCode;
}

const END_OF_TURN: TranscriptLine = {
  type: "assistant",
  message: { role: "assistant", content: [], stop_reason: "end_turn" },
};

/** As in Claude Code's transcript: the call before it is made, and its result as soon as it is there. */
function noteCall(
  memory: Memory,
  tool: string,
  input: Record<string, unknown>,
  got: (answer: ToolAnswer) => void = () => {},
): (answer: ToolAnswer) => void {
  const id = `toolu_${Math.random().toString(36).slice(2)}`;
  const call = { type: "tool_use", id, name: tool, input };
  memory.write({
    type: "assistant",
    message: { role: "assistant", content: [call], stop_reason: "tool_use" },
  });
  return (answer) => {
    const result = { type: "tool_result", tool_use_id: id, content: answer.text };
    memory.write({ type: "user", message: { role: "user", content: [result] } });
    got(answer);
  };
}

/** Acts on a prompt are skipped here: they are part of that prompt's turn. */
async function followInTime(
  { when, ...act }: Act,
  follow: (act: Act) => void,
  end: AbortSignal,
): Promise<void> {
  if (typeof when === "object" && "prompt" in when) return;
  try {
    if (when !== "start") await waitFor(when, end);
    follow({ when, ...act });
  } catch {
    // The agent ended before the moment came.
  }
}

interface End {
  /** Aborted when the agent ends. */
  signal: AbortSignal;
  reached: Promise<number>;
  come(exitCode: number): void;
}

function endOf(stop: AbortSignal): End {
  const over = new AbortController();
  const reached = new Promise<number>((resolve) => {
    over.signal.addEventListener("abort", () => resolve(Number(over.signal.reason)));
  });
  const come = (exitCode: number): void => over.abort(exitCode);
  stop.addEventListener("abort", () => come(0));
  if (stop.aborted) come(0);
  return { signal: over.signal, reached, come };
}
