/** Agents in panes of a real Zellij, each with its relay, and what a person and a test can do with them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSecrets } from "../../src/mail/secrets.ts";
import type { AgentProgram } from "../../src/agent/agent-program.ts";
import { planArmyFiles, writeArmyFiles } from "../../src/agent/army-files.ts";
import { readComposer } from "../../src/agent/claude/composer.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import type { AgentReport } from "../../src/mail/agent-report.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { isProcessAlive } from "../../src/system/process-identity.ts";
import { kdlString } from "../../src/zellij/layout/kdl-string.ts";
import type { PaneCommand } from "../../src/zellij/layout/print-layout.ts";
import { OVLD } from "./ovld.ts";
import { startRelay } from "./relay.ts";
import { waitUntil } from "./wait-until.ts";
import type { ZellijWorld } from "./zellij.ts";

export interface Seats {
  world: ZellijWorld;
  mail: Mail;
  session: string;
  /** A file that exists once somebody has answered yes to "please run". */
  ran: string;
  type(role: Role, text: string): Promise<void>;
  press(role: Role, key: keyof typeof KEYS): Promise<void>;
  /** Answers an open dialog. It ignores keys at first, so the key is pressed until the dialog is gone. */
  answer(role: Role, key: keyof typeof KEYS): Promise<void>;
  /** Types a prompt and sends it. */
  say(role: Role, text: string): Promise<void>;
  screen(role: Role): Promise<string[]>;
  composer(role: Role): Promise<string | undefined>;
  report(role: Role): AgentReport | undefined;
  journal(event?: string): Record<string, any>[];
  /** The variables that the army's configuration and its agent give the relay of a role. */
  relayEnv(role: Role): Record<string, string>;
  /** Calls a tool of one of the army's relays, as another agent would, and returns its answer. */
  send(from: Role, tool: string, input: Record<string, unknown>): Promise<any>;
  [Symbol.asyncDispose](): Promise<void>;
}

const KEYS = { enter: "\r", escape: "\u001b", backspace: "\u007f", no: "4" } as const;

export interface SeatPlan {
  world: ZellijWorld;
  roles: Role[];
  agent: AgentProgram;
  /** The path of the agent program. */
  program: string;
  wake?: Wake | undefined;
  /** Additional arguments for every agent. */
  args?: string[];
  /** Additional settings for every agent, which override ours. */
  settings?: Record<string, unknown> | undefined;
  /** Variables for every relay, which override its own. */
  relayEnv?: Record<string, string> | undefined;
  /** The state that the relay must report before the test begins; undefined if none is needed. */
  ready: AgentReport["state"] | undefined;
}

const taken = new Set<Seats>();

/** For a program that is interrupted. */
export async function leaveAllSeats(): Promise<void> {
  for (const seats of taken) await seats[Symbol.asyncDispose]();
}

export async function takeSeats(plan: SeatPlan): Promise<Seats> {
  const { world, roles } = plan;
  const session = "seats";
  const relayDir = world.relayDir(session);
  const mail = openMail(relayDir);
  mail.init();
  await openPanes(plan, session, relayDir);
  const seats: Seats = {
    ...attendSeats(world, session, relayDir),
    async [Symbol.asyncDispose]() {
      taken.delete(seats);
      const processes = mail.presences().flatMap(({ relay, agent }) => [relay, agent ?? relay]);
      await world.zellij("delete-session", "--force", session);
      try {
        await waitUntil("no agent lives", () => !processes.some((identity) => isProcessAlive(identity)));
      } finally {
        await world[Symbol.asyncDispose]();
      }
    },
  };
  taken.add(seats);
  for (const role of plan.ready === undefined ? [] : roles) {
    await waitUntil(`${role} is ${plan.ready}`, () => seats.report(role)?.state === plan.ready, {
      timeout: 40_000,
    });
  }
  return seats;
}

/** The agents of an existing session, however it was opened. The session stays until something else ends it. */
export function attendSeats(
  world: ZellijWorld,
  session: string,
  relayDir: string,
): Omit<Seats, typeof Symbol.asyncDispose> {
  const mail = openMail(relayDir);
  const panes = new Map<Role, string>();
  const paneOf = async (role: Role): Promise<string> => {
    const known = panes.get(role);
    if (known !== undefined) return known;
    const pane = (await world.panes(session)).find(({ title }) => title === role);
    panes.set(role, `terminal_${pane.id}`);
    return `terminal_${pane.id}`;
  };
  const act = async (role: Role, action: string, ...words: string[]): Promise<string> =>
    (await world.zellij("--session", session, "action", action, "--pane-id", await paneOf(role), ...words))
      .stdout;
  const seats: ReturnType<typeof attendSeats> = {
    world,
    mail,
    session,
    ran: join(world.sandbox.root, "ran"),
    type: async (role, text) => void (await act(role, "write-chars", "--", text)),
    press: async (role, key) => void (await act(role, "write-chars", "--", KEYS[key])),
    async answer(role, key) {
      await waitUntil("the dialog is known of", () => seats.report(role)?.state === "asking");
      const isDrawn = async (): Promise<boolean> => (await seats.composer(role)) === undefined;
      await waitUntil("the dialog is drawn", isDrawn);
      for (let attempt = 0; attempt < 10 && (await isDrawn()); attempt += 1) {
        // The dialog ignores keys for its first half second.
        await new Promise((resolve) => setTimeout(resolve, 600));
        if (await isDrawn()) await seats.press(role, key);
        const isGone = async (): Promise<boolean> => !(await isDrawn());
        await waitUntil("the dialog has gone", isGone, { timeout: 1_500 }).catch(() => {});
      }
    },
    async say(role, text) {
      // Zellij sometimes loses what is typed; a person would see that and type it again.
      const stands = async (): Promise<boolean> => Boolean(await seats.composer(role));
      for (let attempt = 1; attempt <= 3 && !(await stands()); attempt += 1) {
        await seats.type(role, text);
        await waitUntil("it is typed", stands, { timeout: 4_000 }).catch(() => {});
      }
      await new Promise((resolve) => setTimeout(resolve, 150));
      for (let attempt = 1; attempt <= 3 && (await stands()); attempt += 1) {
        await seats.press(role, "enter");
        const isGone = async (): Promise<boolean> => !(await stands());
        await waitUntil("it is sent", isGone, { timeout: 2_000 }).catch(() => {});
      }
    },
    async screen(role) {
      // Zellij sometimes returns an empty screen although the pane shows something.
      for (let attempt = 1; ; attempt += 1) {
        const shown = await act(role, "dump-screen");
        if (shown.trim() !== "" || attempt === 5) return shown.split("\n");
      }
    },
    composer: async (role) => readComposer(await seats.screen(role)),
    report: (role) => mail.agentReport(role),
    journal: (event) =>
      readJournal(relayDir).filter((line) => event === undefined || line["event"] === event),
    relayEnv: (role) => environmentOf(seats.report(role)?.relay ?? ""),
    async send(from, tool, input) {
      const env = { ...world.env, ...mcpEnv(relayDir, from) };
      const sender = await startRelay(world.sandbox, from, { env });
      const { json } = await sender.call(tool, input);
      await sender.close();
      return json;
    },
  };
  return seats;
}

/** Uses the army's own files, but only the panes that a test needs, one above the other. */
async function openPanes(plan: SeatPlan, session: string, relayDir: string): Promise<void> {
  const { world, roles, agent } = plan;
  const ovld = { node: process.execPath, file: OVLD };
  const files = planArmyFiles({
    session,
    relayDir,
    cwd: world.project,
    agent,
    agentProgram: plan.program,
    ovld,
    zellij: process.env["OVLD_TEST_ZELLIJ"] ?? "zellij",
    wake: plan.wake ?? "auto",
    secrets: makeSecrets(),
  });
  writeArmyFiles(files);
  for (const { path, content } of files.settings) {
    writeFileSync(path, JSON.stringify({ ...JSON.parse(content), ...plan.settings }));
  }
  for (const { path, content } of files.mcpConfigs) {
    const config = JSON.parse(content);
    Object.assign(config.mcpServers["ovld-relay"].env, plan.relayEnv);
    writeFileSync(path, JSON.stringify(config));
  }
  const commands = roles.map((role): [Role, PaneCommand] => [
    role,
    agent.command({
      program: plan.program,
      ovld,
      mcpConfigFile: join(relayDir, "mcp", `${role}.json`),
      settingsFile: join(relayDir, "settings", `${role}.json`),
    }),
  ]);
  const layout = join(world.sandbox.root, "seats.kdl");
  writeFileSync(layout, printSeats(commands, plan.args ?? [], world.project));
  await world.zellij("attach", "--create-background", session, "options", "--default-layout", layout);
}

function printSeats(commands: [Role, PaneCommand][], more: string[], cwd: string): string {
  const panes = commands.map(([role, { program, args }]) => {
    const words = [...args, ...more].map(kdlString).join(" ");
    return `pane name=${kdlString(role)} command=${kdlString(program)} { args ${words}; }`;
  });
  return `session_serialization false\nlayout {\ncwd ${kdlString(cwd)}\n${panes.join("\n")}\n}\n`;
}

function mcpEnv(relayDir: string, role: Role): Record<string, string> {
  const config = readFileSync(join(relayDir, "mcp", `${role}.json`), "utf8");
  return JSON.parse(config).mcpServers["ovld-relay"].env;
}

function environmentOf(identity: string): Record<string, string> {
  const lines = readFileSync(`/proc/${Number.parseInt(identity, 10)}/environ`, "utf8").split("\0");
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

function readJournal(relayDir: string): Record<string, any>[] {
  const file = join(relayDir, "journal.jsonl");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Record<string, any> => JSON.parse(line));
}
