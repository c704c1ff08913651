/** Runs a command to its end, and keeps what it printed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Sandbox } from "./sandbox.ts";

export interface CommandRun {
  /** Null if it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Circumstances {
  /** Its whole environment, the sandbox's own if not given. A variable that is undefined is not set. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** What it can read; without it, nothing. If it is LATER, the test writes it with `type`. */
  input?: string;
  /** Another user than ours. */
  user?: { uid?: number; gid?: number };
  /** How long it may take before it is killed. */
  withinMs?: number;
}

export interface RunningCommand {
  stdout: () => string;
  /** Gives it something to read, if its input was left for later. */
  type: (text: string) => void;
  kill: (signal: NodeJS.Signals) => void;
  ended: Promise<CommandRun>;
}

export const LATER = "(later)";

type Command = [program: string, ...args: string[]];

export function runCommand(
  sandbox: Sandbox,
  command: Command,
  circumstances?: Circumstances,
): Promise<CommandRun> {
  return startCommand(sandbox, command, circumstances).ended;
}

/** It is killed with the sandbox if it is still running then. */
export function startCommand(
  sandbox: Sandbox,
  [program, ...args]: Command,
  { env = sandbox.env, cwd, input, user, withinMs }: Circumstances = {},
): RunningCommand {
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = spawn(program, args, { env, cwd, ...user, stdio: [stdin, "pipe", "pipe"] });
  const run: CommandRun = { code: null, stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (run.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
  // A command that does not read its input closes it.
  child.stdin?.on("error", () => {});
  if (input !== LATER) child.stdin?.end(input);
  const limit = withinMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), withinMs);
  const closed = once(child, "close").finally(() => clearTimeout(limit));
  sandbox.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await closed;
  });
  return {
    stdout: () => run.stdout,
    type: (text) => void child.stdin?.write(text),
    kill: (signal) => void child.kill(signal),
    ended: closed.then(([code]) => ({ ...run, code })),
  };
}
