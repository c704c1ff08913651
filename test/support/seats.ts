/** Agents in panes of a real Zellij, each with its relay, and what a person and a test can do with them. */
import { parseSettings } from "../../src/config/settings.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSecrets, planArmyFiles, writeArmyFiles } from "../../src/summon/army-files.ts";
import type { AgentProgram } from "../../src/agent/agent-program.ts";
import type { Role } from "../../src/army/roles.ts";
import type { Wake } from "../../src/config/relay-settings.ts";
import type { AgentReport } from "../../src/mail/records/agent-report.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { isProcessAlive } from "../../src/system/process.ts";
import { kdlString, type PaneCommand } from "../../src/zellij/layout.ts";
import { OVLD } from "./ovld.ts";
import { readLines } from "./read-lines.ts";
import type { Pane } from "./reach-pane.ts";
import { startRelay } from "./relay.ts";
import { waitUntil } from "./wait-until.ts";
import type { ZellijWorld } from "./zellij.ts";

export interface Seats {
  world: ZellijWorld;
  mail: Mail;
  session: string;
  /** A file that exists once somebody has answered yes to "please run". */
  ran: string;
  pane(role: Role): Pane;
  report(role: Role): AgentReport | undefined;
  journal(event?: string): Record<string, any>[];
  /** The variables that the army's configuration and its agent give the relay of a role. */
  relayEnv(role: Role): Record<string, string>;
  /** Calls a tool of one of the army's relays, as another agent would, and returns its answer. */
  send(from: Role, tool: string, input: Record<string, unknown>): Promise<any>;
  [Symbol.asyncDispose](): Promise<void>;
}

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

/** The caller ends the world if this fails. */
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
      const processes = mail.presences().flatMap(({ relay, agent }) => [relay, agent ?? relay]);
      try {
        await world.zellij("delete-session", "--force", session);
        await waitUntil("no agent lives", () => !processes.some((identity) => isProcessAlive(identity)));
      } finally {
        await world[Symbol.asyncDispose]();
      }
    },
  };
  taken.add(seats);
  world.sandbox.defer(() => void taken.delete(seats));
  for (const role of plan.ready === undefined ? [] : roles) {
    await waitUntil(`${role} is ${plan.ready}`, () => seats.report(role)?.state === plan.ready);
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
  const panes = new Map<Role, Pane>();
  const seats: ReturnType<typeof attendSeats> = {
    world,
    mail,
    session,
    ran: join(world.sandbox.root, "ran"),
    pane(role) {
      const pane = panes.get(role) ?? world.pane(role, session);
      panes.set(role, pane);
      return pane;
    },
    report: (role) => mail.agentReport(role),
    journal: (event) =>
      readLines(join(relayDir, "journal.jsonl")).filter(
        (line) => event === undefined || line["event"] === event,
      ),
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
    settings: { ...parseSettings({}), wake: plan.wake ?? "auto" },
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
