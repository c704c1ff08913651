/**
 * Runs the practice agent, from reading its two files to its end.
 *
 * It takes the place of Claude Code: a program in a pane with a composer, an MCP client that starts its own relay,
 * and hooks that report to the relay. Only a submitted prompt and the answer of its Stop hook can wake it.
 */
import type { Environment } from "../../config/environment.ts";
import type { PlayTexts } from "../../i18n/en/play.ts";
import { readHookSettings } from "./hooks.ts";
import { readMcpConfig } from "./mcp-config.ts";
import { waitFor } from "./moment.ts";
import { createPerformance } from "./perform.ts";
import { wantsColour } from "../../terminal/paint.ts";
import { beginPlay } from "./play/play.ts";
import { openRecording } from "./recording.ts";
import { createRelayLine } from "./relay-line.ts";
import { readScript, type Act } from "./script.ts";
import { openStage } from "./stage.ts";
import { takeTurns } from "./turns.ts";

export interface AgentStart {
  mcpConfigFile: string;
  settingsFile: string;
  env: Environment;
  texts: PlayTexts;
  /** Aborted when the process is asked to end. */
  stop: AbortSignal;
}

/** The prompt of a turn that the script starts. */
const SCRIPTED = "(script)";
/** The tool that a scripted question is about. */
const ASKED_TOOL = { tool_name: "Bash" };

/** Returns the exit code. */
export async function runPracticeAgent(start: AgentStart): Promise<number> {
  const { env, texts } = start;
  const server = readMcpConfig(start.mcpConfigFile);
  const settings = readHookSettings(start.settingsFile);
  const script = readScript(env);
  const { listTools, acts = [] } = script.of(server.role);
  const record = openRecording(env, server.role);
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
  const line = createRelayLine({ server, settings, env, stage, texts, record });
  const perform = createPerformance({
    play: beginPlay(server.role, texts),
    texts,
    acts,
    workMs: script.workMs,
    stage,
    call: (tool, input, signal) => line.call(tool, input, signal),
    asking: async () => void (await line.fire("PermissionRequest", ASKED_TOOL)),
    allowed: async () => void (await line.fire("PostToolUse", ASKED_TOOL)),
    record,
  });
  const turns = takeTurns({
    perform,
    fire: (event, data) => line.fire(event, data),
    begun: ({ prompt }) => stage.quote(prompt),
    broken: (error, interrupted) => stage.note(interrupted ? texts.interrupted : String(error)),
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
  turns.interrupt();
  stage.leave();
  record({ event: "left" });
  await line.close();
  return exitCode;
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
