/**
 * Runs the practice agent, from reading its two files to its end.
 *
 * It takes the place of Claude Code: a program in a pane with a composer, an MCP client that starts its own relay,
 * and hooks that report to the relay. Only a submitted prompt and the answer of its Stop hook can wake it.
 */
import type { Role } from "../../army/roles.ts";
import { CONVERSATION_IN_USE } from "../../army/words.ts";
import type { Texts } from "../../i18n/texts.ts";
import type { ProcessIdentity } from "../../system/process.ts";
import { wantsColour } from "../../terminal/paint.ts";
import { readHookSettings } from "./hooks.ts";
import { readMcpConfig } from "./mcp-config.ts";
import { NO_WORK, openMemory, resumePractice, wasSent, type PracticeStart } from "./memory.ts";
import { perform, type Performer } from "./perform.ts";
import { createRelayLine } from "./relay-line.ts";
import { openRecord, readScript, waitFor, type Act } from "./script.ts";
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

/** Returns the exit code. */
export async function runPracticeAgent(start: AgentStart): Promise<number> {
  const { env, texts, stop } = start;
  const server = readMcpConfig(start.mcpConfigFile);
  const settings = readHookSettings(start.settingsFile);
  const { role } = server;
  const { roles, workMs } = readScript(env);
  const { listTools, acts = [] } = roles[role] ?? {};
  const record = openRecord(env, role);
  const conversation = await resumePractice(server, start);
  if (conversation !== undefined && "inUseBy" in conversation) {
    start.refuse(role, conversation.inUseBy);
    return CONVERSATION_IN_USE;
  }
  const memory = openMemory(conversation?.transcript);
  const end = new AbortController();
  const reached = new Promise<number>((resolve) => {
    end.signal.addEventListener("abort", () => resolve(Number(end.signal.reason)));
  });
  stop.addEventListener("abort", () => end.abort(0));
  if (stop.aborted) end.abort(0);

  const stage = openStage(
    {
      submitted(prompt) {
        record({ event: "submitted", prompt });
        turns.submit({ prompt });
      },
      interrupted: () => turns.interrupt(),
      drafted: (text) => record({ event: "draft", text }),
      leaving: () => end.abort(0),
    },
    { coloured: wantsColour(env, true) },
  );
  const line = createRelayLine({ server, settings, env, stage, texts, record, conversation });
  const performer: Performer = {
    role,
    texts,
    acts,
    workMs,
    stage,
    memory,
    line,
    record,
    wasSent: (step, since) => wasSent(server, step, since),
    allowedForGood: new Set(),
  };
  const turns = takeTurns({
    perform: (turn, turnOver) => perform(performer, turn, turnOver),
    fire: (event, data) => line.fire(event, data),
    begun: ({ prompt }) => stage.quote(prompt),
    broken: (error, interrupted) => stage.note(interrupted ? texts.interrupted : String(error)),
    ended() {
      memory.change(NO_WORK);
      memory.write({
        type: "assistant",
        message: { role: "assistant", content: [], stop_reason: "end_turn" },
      });
    },
    changed({ busy, waiting }) {
      stage.setBusy(busy);
      stage.setQueue(waiting);
    },
    record,
  });

  stage.say(texts.greeting(role));
  await Promise.race([
    line.open(async () => {
      if (listTools) await waitFor(listTools, end.signal);
    }),
    reached,
  ]);
  for (const act of acts) {
    void followInTime(act, end.signal, ({ draft, turn, exit }) => {
      if (draft !== undefined) stage.setDraft(draft);
      if (turn) turns.submit({ prompt: SCRIPTED, steps: turn });
      if (exit !== undefined) end.abort(exit);
    });
  }
  const exitCode = await reached;
  // A turn that the end of the process interrupts is not over.
  memory.close();
  turns.interrupt();
  stage.leave();
  await line.close();
  return exitCode;
}

/** Acts on a prompt are skipped here: they are part of that prompt's turn. */
async function followInTime(act: Act, end: AbortSignal, follow: (act: Act) => void): Promise<void> {
  const { when } = act;
  if (typeof when === "object" && "prompt" in when) return;
  try {
    if (when !== "start") await waitFor(when, end);
    follow(act);
  } catch {
    // The agent ended before the moment came.
  }
}
