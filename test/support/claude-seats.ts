/** Real Claude Codes in panes of a real Zellij, each with its relay, and a stand-in model that does as it is told. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { planArmyFiles, writeArmyFiles } from "../../src/agent/army-files.ts";
import { claude } from "../../src/agent/claude/claude.ts";
import { readComposer } from "../../src/agent/composer.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import type { AgentReport } from "../../src/mail/agent-report.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { isProcessAlive } from "../../src/system/process-identity.ts";
import { kdlString } from "../../src/zellij/layout/kdl-string.ts";
import { claudeEnv, claudeProgram } from "./claude.ts";
import { startModel, type ModelRequest, type StandInModel, type Turn } from "./model.ts";
import { OVLD } from "./ovld.ts";
import { startRelay } from "./relay.ts";
import { makeZellijWorld, type ZellijWorld } from "./zellij.ts";

export interface Seats {
  world: ZellijWorld;
  model: StandInModel;
  mail: Mail;
  session: string;
  /** A file that "please run" would make. */
  ran: string;
  type(role: Role, text: string): Promise<void>;
  press(role: Role, key: keyof typeof KEYS): Promise<void>;
  /** Types a prompt and sends it. */
  say(role: Role, text: string): Promise<void>;
  screen(role: Role): Promise<string[]>;
  composer(role: Role): Promise<string | undefined>;
  registry(role: Role): { status: string; waitingFor?: string } | undefined;
  report(role: Role): AgentReport | undefined;
  journal(event?: string): Record<string, any>[];
  /** Calls a tool of a relay of the army, as another agent would, and returns what it answers. */
  send(from: Role, tool: string, input: Record<string, unknown>): Promise<any>;
  /** Every prompt the model got that was about mail. */
  bells(): string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const KEYS = { enter: "\r", escape: "\u001b", backspace: "\u007f" } as const;

export interface SeatOptions {
  wake?: Wake;
  trusted?: boolean;
  /** More settings for every Claude, over ours. */
  settings?: Record<string, unknown>;
  /** Variables for every relay, over those it would have. */
  relayEnv?: Record<string, string>;
  /** What the relay must know of its agent before the test begins. */
  ready?: AgentReport["state"];
  script?: (request: ModelRequest) => Turn | Promise<Turn> | undefined;
}

export async function seatClaudes(roles: Role[], options: SeatOptions = {}): Promise<Seats> {
  const world = makeZellijWorld();
  const session = "seats";
  const ran = join(world.sandbox.root, "ran");
  const model = await startModel(world.sandbox, (request) => options.script?.(request) ?? obey(request, ran));
  const trusted = options.trusted === false ? [] : [world.project];
  Object.assign(world.env, claudeEnv(world.sandbox, model.url, trusted), { PATH: world.env["PATH"] });
  const relayDir = world.relayDir(session);
  const files = planArmyFiles({
    session,
    relayDir,
    cwd: world.project,
    agent: claude,
    agentProgram: claudeProgram(),
    ovld: { node: process.execPath, file: OVLD },
    zellij: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij",
    wake: options.wake ?? "auto",
    secret: "the secret of the test",
  });
  const mail = openMail(relayDir);
  mail.init();
  writeArmyFiles(files);
  for (const { path, content } of files.settings) {
    writeFileSync(path, JSON.stringify({ ...JSON.parse(content), ...options.settings }));
  }
  for (const { path, content } of files.mcpConfigs) {
    const config = JSON.parse(content);
    Object.assign(config.mcpServers["ovld-relay"].env, options.relayEnv);
    writeFileSync(path, JSON.stringify(config));
  }
  const layout = join(world.sandbox.root, "seats.kdl");
  writeFileSync(layout, printSeats(roles, relayDir, world.project));
  await world.zellij("attach", "--create-background", session, "options", "--default-layout", layout);
  const paneOf = async (role: Role): Promise<string> => {
    const pane = (await world.panes(session)).find(({ title }) => title === role);
    return `terminal_${pane.id}`;
  };
  const act = async (role: Role, action: string, ...words: string[]): Promise<string> =>
    (await world.zellij("--session", session, "action", action, "--pane-id", await paneOf(role), ...words))
      .stdout;
  const seats: Seats = {
    world,
    model,
    mail,
    session,
    ran,
    type: async (role, text) => void (await act(role, "write-chars", "--", text)),
    press: async (role, key) => void (await act(role, "write-chars", "--", KEYS[key])),
    async say(role, text) {
      await seats.type(role, text);
      await expect.poll(async () => await seats.composer(role), { timeout: 10_000 }).not.toBe("");
      await new Promise((resolve) => setTimeout(resolve, 150));
      await seats.press(role, "enter");
    },
    screen: async (role) => (await act(role, "dump-screen")).split("\n"),
    composer: async (role) => readComposer(await seats.screen(role)),
    registry: (role) => registryOf(world, mail, role),
    report: (role) => mail.agentReport(role),
    journal: (event) =>
      readJournal(relayDir).filter((line) => event === undefined || line["event"] === event),
    async send(from, tool, input) {
      const sender = await startRelay(world.sandbox, from, {
        env: { ...world.env, ...mcpEnv(relayDir, from) },
      });
      const { json } = await sender.call(tool, input);
      await sender.close();
      return json;
    },
    bells: () => model.requests.map(({ last }) => last).filter((last) => last.includes("[MESSAGE from")),
    async [Symbol.asyncDispose]() {
      const processes = mail.presences().flatMap(({ relay, agent }) => [relay, agent ?? relay]);
      await world.zellij("delete-session", "--force", session);
      const alive = (): string[] => processes.filter((identity) => isProcessAlive(identity));
      try {
        await expect.poll(alive, { timeout: 20_000 }).toEqual([]);
      } finally {
        await world[Symbol.asyncDispose]();
      }
    },
  };
  if (options.trusted !== false) {
    for (const role of roles) {
      await expect.poll(() => seats.report(role)?.state, { timeout: 40_000 }).toBe(options.ready ?? "idle");
    }
  }
  return seats;
}

/** What the stand-in does with what it is told. */
function obey({ last }: ModelRequest, ran: string): Turn | Promise<Turn> {
  // First, because a prompt whose turn failed comes along with the next.
  if (last.includes("[MESSAGE from")) return { tool: "mcp__ovld-relay__check_inbox", input: {} };
  const [, seconds] = /please work (\d+)/.exec(last) ?? [];
  if (seconds) return new Promise((resolve) => setTimeout(() => resolve("worked"), Number(seconds) * 1000));
  if (last.includes("please run"))
    return { tool: "Bash", input: { command: `touch ${ran}`, description: "it" } };
  if (last.includes("please ask")) return { tool: "AskUserQuestion", input: { questions: [QUESTION] } };
  if (last.includes("please fail")) return 400;
  return "fine";
}

const QUESTION = {
  question: "Which hill?",
  header: "Hill",
  multiSelect: false,
  options: [
    { label: "left", description: "the left one" },
    { label: "right", description: "the right one" },
  ],
};

function printSeats(roles: Role[], relayDir: string, cwd: string): string {
  const panes = roles.map((role) => {
    const args = ["--permission-mode", "manual", "--strict-mcp-config"];
    const files = ["--mcp-config", join(relayDir, "mcp", `${role}.json`)];
    const settings = ["--settings", join(relayDir, "settings", `${role}.json`)];
    const words = [...args, ...files, ...settings].map(kdlString).join(" ");
    return `pane name=${kdlString(role)} command=${kdlString(claudeProgram())} { args ${words}; }`;
  });
  return `session_serialization false\nlayout {\ncwd ${kdlString(cwd)}\n${panes.join("\n")}\n}\n`;
}

/** What the army's own configuration gives a relay of that role. */
function mcpEnv(relayDir: string, role: Role): Record<string, string> {
  const config = readFileSync(join(relayDir, "mcp", `${role}.json`), "utf8");
  return JSON.parse(config).mcpServers["ovld-relay"].env;
}

function registryOf(world: ZellijWorld, mail: Mail, role: Role): ReturnType<Seats["registry"]> {
  const pid = Number.parseInt(mail.agentReport(role)?.agent ?? "", 10);
  const folder = join(world.env["CLAUDE_CONFIG_DIR"] ?? "", "sessions");
  if (!existsSync(folder) || !readdirSync(folder).includes(`${pid}.json`)) return undefined;
  return JSON.parse(readFileSync(join(folder, `${pid}.json`), "utf8"));
}

function readJournal(relayDir: string): Record<string, any>[] {
  const file = join(relayDir, "journal.jsonl");
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, any> => JSON.parse(line));
}
