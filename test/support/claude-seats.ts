/** Real Claude Codes in panes of a real Zellij, and a stand-in model that does what it is told. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../src/agent/claude/claude.ts";
import type { Role } from "../../src/army/roles.ts";
import { claudeEnv, claudeProgram } from "./claude.ts";
import { followLines } from "./read-lines.ts";
import { QUESTION, startModel, type ModelRequest, type StandInModel, type Turn } from "./model.ts";
import { endIfThrown } from "./sandbox.ts";
import { takeSeats, type SeatPlan, type Seats } from "./seats.ts";
import { makeZellijWorld } from "./zellij.ts";

export interface ClaudeSeats extends Seats {
  model: StandInModel;
  registry(role: Role): { status: string; sessionId: string; waitingFor?: string } | undefined;
  /** Every prompt that a role's Claude has taken, in order, from its own record of the conversation. */
  prompts(role: Role): string[];
  /** Every request of the model that was about mail. */
  bells(): ModelRequest[];
}

export interface ClaudeOptions extends Partial<Pick<SeatPlan, "wake" | "settings" | "relayEnv" | "ready">> {
  /** The permission mode; "manual" if not given. */
  mode?: string;
  trusted?: boolean;
  /** What the person has in their own settings file. */
  personSettings?: object;
  /** Additional variables of the person's own. */
  env?: Record<string, string>;
  script?: (request: ModelRequest) => Turn | Promise<Turn> | undefined;
}

/** The two ways of ringing that begin a turn of an agent at rest. */
export const WAYS: Record<string, ClaudeOptions> = {
  "by socket": {},
  "by typing": { wake: "pane" },
};

export async function seatClaudes(roles: Role[], options: ClaudeOptions = {}): Promise<ClaudeSeats> {
  const {
    trusted = true,
    script,
    ready = "idle",
    env: own = {},
    mode = "manual",
    personSettings,
    ...more
  } = options;
  const world = makeZellijWorld();
  return endIfThrown(world, async () => {
    const ran = join(world.sandbox.root, "ran");
    const model = await startModel(world.sandbox, (request) => script?.(request) ?? obey(request, ran));
    const env = claudeEnv(world.sandbox, model.url, trusted ? [world.project] : [], personSettings);
    Object.assign(world.env, env, { PATH: world.env["PATH"] }, own);
    const seats = await takeSeats({
      ...more,
      world,
      roles,
      agent: claude,
      program: claudeProgram(),
      args: ["--permission-mode", mode, "--strict-mcp-config"],
      ready: trusted ? ready : undefined,
    });
    const registry: ClaudeSeats["registry"] = (role) => {
      const pid = Number.parseInt(seats.report(role)?.agent ?? "", 10);
      const file = join(world.env["CLAUDE_CONFIG_DIR"] ?? "", "sessions", `${pid}.json`);
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    };
    const transcripts = new Map<string, () => TranscriptLine[]>();
    return {
      ...seats,
      model,
      registry,
      prompts(role) {
        const { sessionId } = registry(role) ?? {};
        const folder = world.project.replaceAll(/[^A-Za-z0-9]/g, "-");
        const path = join(world.env["CLAUDE_CONFIG_DIR"] ?? "", "projects", folder, `${sessionId}.jsonl`);
        const read = transcripts.get(path) ?? followLines<TranscriptLine>(path);
        transcripts.set(path, read);
        return read().flatMap(promptsIn);
      },
      bells: () => model.requests.filter(({ last }) => last.includes("[MESSAGE from")),
    };
  });
}

interface TranscriptLine {
  promptSource?: string;
  message?: { content: unknown };
  attachment?: { type: string; prompt?: unknown };
}

/** A prompt sent while the agent works may reach the model in the middle of the turn. */
function promptsIn({ promptSource, message, attachment }: TranscriptLine): string[] {
  if (attachment?.type === "queued_command") return [wordsOf(attachment.prompt)];
  return promptSource === undefined || message === undefined ? [] : [wordsOf(message.content)];
}

function wordsOf(content: unknown): string {
  return Array.isArray(content) ? content.map(({ text = "" }) => String(text)).join("") : String(content);
}

/** What the stand-in does when it is told something. */
function obey({ last }: ModelRequest, ran: string): Turn | Promise<Turn> {
  // Checked first, because a prompt whose turn failed comes along with the next one.
  if (last.includes("[MESSAGE from")) return { tool: "mcp__ovld-relay__check_inbox", input: {} };
  const [, seconds] = /please work (\d+)/.exec(last) ?? [];
  if (seconds) return new Promise((resolve) => setTimeout(() => resolve("worked"), Number(seconds) * 1000));
  if (last.includes("please run"))
    return { tool: "Bash", input: { command: `touch ${ran}`, description: "it" } };
  if (last.includes("please ask")) return { tool: "AskUserQuestion", input: { questions: [QUESTION] } };
  return last.includes("please fail") ? 400 : "fine";
}
