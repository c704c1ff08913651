/**
 * `ovld practice-agent`: one agent of the practice army, started in a pane, not by hand.
 *
 * It takes the place of Claude Code: a program in a pane with a composer, an MCP client that starts its own relay,
 * and hooks that report to the relay. Only a submitted prompt and the answer of its Stop hook can wake it.
 */
import { join } from "node:path";
import { openMemory, wasSent } from "../../../agent/practice/memory.ts";
import { createRelayLine, readAgentSettings, readMcpConfig } from "../../../agent/practice/relay-line.ts";
import { loadDrill, openRecord, readScript } from "../../../agent/practice/script.ts";
import { openStage } from "../../../agent/practice/stage.ts";
import { takeTurns, type Turn } from "../../../agent/practice/turns.ts";
import { CONVERSATION_IN_USE } from "../../../army/words.ts";
import { signalCode, type CommandContext } from "../../../command/command-context.ts";
import { storePaths, WORK_FOLDER } from "../../../mail/store/paths.ts";
import { OvldError } from "../../../system/ovld-error.ts";
import { identifyOurselves } from "../../../system/process.ts";
import { wantsColour } from "../../../terminal/paint.ts";
import { readWork, targetOf } from "../../../work/work.ts";
import { takeUpRole } from "../take-up/run.ts";

export interface PracticeAgentFlags {
  mcpConfig: string;
  settings: string;
}

export async function practiceAgent(context: CommandContext, flags: PracticeAgentFlags): Promise<number> {
  const code = await runAgent(context, flags);
  return context.stop.aborted ? signalCode(context.stop) : code;
}

/** Runs until the person leaves, a drill says so, or the process is asked to end; returns the exit code. */
async function runAgent(context: CommandContext, flags: PracticeAgentFlags): Promise<number> {
  const { env, stop } = context;
  const texts = context.texts.play;
  const server = readMcpConfig(flags.mcpConfig);
  const { hooks: settings, env: given } = readAgentSettings(flags.settings);
  const { OVLD_ROLE: role, OVLD_RELAY_DIR: relayDir } = server.env;
  const taken = { role, relayDir, program: "practice", agent: identifyOurselves() } as const;
  const conversation = await takeUpRole(context, taken).catch((error: unknown) => {
    // The army's folder cannot be used, so the agent keeps no memory.
    if (error instanceof OvldError) return { id: undefined, start: undefined };
    throw error;
  });
  if (conversation === undefined) return CONVERSATION_IN_USE;
  const { id, start } = conversation;
  const { workMs } = readScript(env);
  const record = openRecord(env, role);
  const openDrill = await loadDrill(env);
  const transcript = id && storePaths(relayDir).practiceTranscript(id);
  const memory = openMemory(transcript);
  const work = readWork(join(relayDir, WORK_FOLDER));
  const tree = work && { target: targetOf(work.army), env: { ...env, ...given } };
  const end = new AbortController();
  const reached = new Promise<number>((resolve) => {
    end.signal.addEventListener("abort", () => resolve(Number(end.signal.reason)));
  });
  stop.addEventListener("abort", () => end.abort(0));
  if (stop.aborted) end.abort(0);

  const stage = openStage(
    {
      submit(prompt) {
        record("submitted", { prompt });
        turns.submit({ prompt });
      },
      interrupt: () => turns.interrupt(),
      draft: (text) => record("draft", { text }),
      leave: () => end.abort(0),
    },
    { coloured: wantsColour(env, true) },
  );
  const submit = (act: Turn["act"]): void => turns.submit({ prompt: "(script)", act });
  const leave = (exitCode: number): void => end.abort(exitCode);
  const drill = openDrill?.({ role, texts, stage, record, line: () => line, submit, leave }, env);
  const line = createRelayLine({ server, settings, env, texts }, { stage, record, id, transcript });
  const turns = takeTurns({
    role,
    texts,
    workMs,
    tree,
    stage,
    memory,
    line,
    record,
    wasSent: (step, since) => wasSent(server, step, since),
    drill,
  });

  stage.say(texts.greeting(role));
  const open = async (): Promise<void> => {
    const tools = await line.open(async () => drill?.ready(end.signal));
    if (tools === undefined) return;
    record("ready", { tools });
    await line.fire("SessionStart", { source: start === "resumed" ? "resume" : "startup" });
  };
  await Promise.race([open(), reached]);
  drill?.begin(end.signal);
  const exitCode = await reached;
  // A turn that the end of the process interrupts is not over.
  memory.close();
  turns.interrupt();
  stage.leave();
  await line.close();
  return exitCode;
}
