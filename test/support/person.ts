/** A person with a machine of their own, at first without Zellij or agents: runs `ovld` with pipes and on a terminal. */
import { takeLock } from "../../src/system/lock-file.ts";
import { identifyOurselves } from "../../src/system/process.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import type { AgentReport } from "../../src/mail/records/agent-report.ts";
import { openMail, type Mail } from "../../src/mail/mail.ts";
import { OVLD } from "./ovld.ts";
import { programPath } from "./program-path.ts";
import { startCommand, type Circumstances, type CommandRun, type RunningCommand } from "./run-command.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Variables are added to the person's own. */
interface PersonalCircumstances extends Circumstances {
  /** Run by an agent: the one started with this MCP configuration. */
  below?: string;
}

export interface Person {
  sandbox: Sandbox;
  env: Record<string, string>;
  project: string;
  configFile: string;
  relayDir: (session?: string) => string;
  /** The mail of an army whose store exists, as if it had been summoned. */
  army: (session?: string) => Mail;
  ovld: (args: string[], circumstances?: PersonalCircumstances) => Promise<CommandRun>;
  start: (args: string[], circumstances?: PersonalCircumstances) => RunningCommand;
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
  const start: Person["start"] = (args, { below, env: more, ...others } = {}) => {
    const words: [string, ...string[]] = [process.execPath, OVLD, ...args];
    const agent = [programPath("run-below.mjs"), "--mcp-config", below ?? ""];
    return startCommand(sandbox, below === undefined ? words : [process.execPath, ...agent, ...words], {
      cwd: project,
      input: "",
      ...others,
      env: { ...env, ...more },
    });
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

/** An army that is starting, for as long as the test lasts: nobody asks in one that is not up. */
export async function beginArmy(person: Person, session?: string): Promise<Mail> {
  const mail = person.army(session);
  const lock = await takeLock(`${person.relayDir(session)}.lock`, AbortSignal.timeout(20_000));
  person.sandbox.defer(async () => lock?.release());
  return mail;
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
