/** A person with a machine of their own, without Zellij or agents: runs `ovld` with pipes and on a terminal. */
import { identifyOurselves } from "../../src/system/process-identity.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import type { AgentReport } from "../../src/mail/agent-report.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { OVLD } from "./ovld.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Running {
  stdout: () => string;
  kill: (signal: NodeJS.Signals) => void;
  ended: Promise<CommandRun>;
}

interface Circumstances {
  env?: Record<string, string>;
  input?: string;
  cwd?: string;
  /** Run by an agent: the one started with this MCP configuration. */
  below?: string;
}

/** Does what an agent's own shell does, without the shell. */
const RUN_BELOW = `
const [, , , program, ...args] = process.argv;
const { status } = require("node:child_process").spawnSync(program, args, { stdio: "inherit" });
process.exitCode = status;`;

interface Person {
  sandbox: Sandbox;
  env: Record<string, string>;
  project: string;
  configFile: string;
  relayDir: (session?: string) => string;
  /** The mail of an army whose store exists, as if it had been summoned. */
  army: (session?: string) => Mail;
  ovld: (args: string[], circumstances?: Circumstances) => Promise<CommandRun>;
  start: (args: string[], circumstances?: Circumstances) => Running;
  onTerminal: (args: string[], env?: Record<string, string>) => Terminal;
  [Symbol.asyncDispose](): Promise<void>;
}

export function makePerson(): Person {
  const sandbox = makeSandbox();
  const project = join(sandbox.root, "project");
  mkdirSync(project);
  // A socket folder of its own: the machine's other Zellij sessions do not belong to this person.
  const sockets = join(sandbox.root, "s");
  mkdirSync(sockets);
  const env = { ...sandbox.env, ZELLIJ_SOCKET_DIR: sockets, TERM: "xterm-256color" };
  const config = join(sandbox.home, ".config/ovld");
  const relayDir = (session?: string): string => join(config, session ? `relays/${session}` : "relay");
  const start = (
    args: string[],
    { env: more = {}, input = "", cwd = project, below }: Circumstances = {},
  ) => {
    const words = [OVLD, ...args];
    const agent = ["-e", RUN_BELOW, "--", "--mcp-config", below ?? "", process.execPath];
    const child = spawn(process.execPath, below === undefined ? words : [...agent, ...words], {
      env: { ...env, ...more },
      cwd,
    });
    const run: CommandRun = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (run.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
    // A command that does not read its input closes it.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const closed = once(child, "close");
    sandbox.defer(async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await closed;
    });
    return {
      stdout: () => run.stdout,
      kill: (signal: NodeJS.Signals) => void child.kill(signal),
      ended: closed.then(([code]) => ({ ...run, code })),
    };
  };
  return {
    sandbox,
    env,
    project,
    configFile: join(config, "config.toml"),
    relayDir,
    army(session) {
      const mail = openMail(relayDir(session));
      mail.init();
      return mail;
    },
    ovld: (args, circumstances) => start(args, circumstances).ended,
    start,
    onTerminal: (args, more) =>
      openTerminal(sandbox, { ...env, ...more }, project, [process.execPath, OVLD, ...args]),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

const THIS_PROCESS = identifyOurselves();

/**
 * Poses as the living relay of a role, with a report about its agent; only `known.relay` can be a process that stands
 * up to inspection.
 */
export function poseAsRelay(mail: Mail, role: Role, known: Partial<AgentReport> = {}): void {
  mail.announce({ role, relay: known.relay ?? THIS_PROCESS, agent: THIS_PROCESS });
  mail.reportAgent({
    role,
    relay: THIS_PROCESS,
    agent: THIS_PROCESS,
    state: "idle",
    since: new Date().toISOString(),
    evidence: "hook",
    bell: { state: "quiet" },
    ...known,
  });
}
