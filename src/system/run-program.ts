/**
 * Starts other programs, and finds them. Only this file starts any.
 *
 * Never through a shell, and never without a limit: a program that is run for its output is killed at its deadline.
 * It counts as ended once it has exited, even if something it left in the background, such as a server, keeps
 * its output open.
 */
import type * as ChildProcessModule from "node:child_process";
import { closeSync, openSync, accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { tryTo, succeeds } from "./file-error.ts";

/** The environment of this process or another. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProgramRun {
  /** Null if it was killed or could not be started. */
  code: number | null;
  stdout: string;
  stderr: string;
  failure?: "missing" | "deadline";
}

export interface RunOptions {
  env: Environment;
  deadlineMs: number;
  cwd?: string | undefined;
  /** Kills it before its deadline. */
  stop?: AbortSignal | undefined;
  /** What it reads; nothing if not given. */
  input?: string | Uint8Array | undefined;
  /** How its output is given: as text, or in base64 if it may be anything. */
  encoding?: "utf8" | "base64" | undefined;
  /** It is killed when it has written more characters than this. */
  mostOutput?: number | undefined;
}

/** What a program wrote before its exit may still be in the pipe for this long. */
const LATE_OUTPUT_MS = 200;

/** If this process was busy all that time, it has not looked into the pipe once: it does so before the next immediate. */
async function waitForLateOutput(): Promise<void> {
  await setTimeout(LATE_OUTPUT_MS, undefined, { ref: false });
  await setImmediate();
}

export async function runProgram(program: string, args: string[], options: RunOptions): Promise<ProgramRun> {
  const { env, cwd, deadlineMs, stop, input = "", encoding = "utf8", mostOutput = Infinity } = options;
  const child = childProcess().spawn(program, args, { env: { ...env }, cwd });
  // It may end without having read everything.
  child.stdin.on("error", () => {}).end(input);
  const run: ProgramRun = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding(encoding).on("data", (text: string) => {
    run.stdout += text;
    if (run.stdout.length > mostOutput) child.kill("SIGKILL");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (run.stderr += text));
  const closed = new Promise((resolve) => child.once("close", resolve));
  const giveUp = (): boolean => child.kill("SIGKILL");
  stop?.addEventListener("abort", giveUp);
  if (stop?.aborted) giveUp();
  // Node's own time limit keeps this process alive until then if there is no such program.
  const late = globalThis.setTimeout(giveUp, deadlineMs);
  const ended = await end(child);
  clearTimeout(late);
  stop?.removeEventListener("abort", giveUp);
  await Promise.race([closed, waitForLateOutput()]);
  child.stdout.destroy();
  child.stderr.destroy();
  const isLate = child.killed && !stop?.aborted;
  return { ...run, ...(isLate && { failure: "deadline" }), ...ended };
}

/** Runs a program as a process group of its own; whatever it has started is ended with it. */
export async function runInGroup(
  program: string,
  args: string[],
  { env, cwd, deadlineMs, stop, input, onOutput }: RunOptions & { onOutput: (bytes: Buffer) => void },
): Promise<Pick<ProgramRun, "code" | "failure">> {
  const child = childProcess().spawn(program, args, {
    env: { ...env },
    cwd,
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // It may end without having read everything.
  child.stdin?.on("error", () => {}).end(input);
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing is left of it.
    }
  };
  for (const output of [child.stdout, child.stderr]) output?.on("data", onOutput);
  const closed = new Promise((resolve) => child.once("close", resolve));
  const deadline = AbortSignal.timeout(deadlineMs);
  const early = AbortSignal.any([deadline, ...(stop ? [stop] : [])]);
  early.addEventListener("abort", endGroup);
  if (early.aborted) endGroup();
  const ended = await end(child);
  early.removeEventListener("abort", endGroup);
  endGroup();
  await Promise.race([closed, waitForLateOutput()]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { ...ended, ...(deadline.aborted && { failure: "deadline" as const }) };
}

const ASK_EVERY_MS = 100;
const MOST_REQUESTS = 20;

/** Gives this terminal to a program until it ends; `stop` asks the program to end. */
export async function runInForeground(
  program: string,
  args: string[],
  { env, stop }: { env: Environment; stop: AbortSignal },
): Promise<ProgramRun> {
  const child = childProcess().spawn(program, args, { env: { ...env }, stdio: "inherit" });
  // A program may ignore a signal while it starts, or always: it is asked several times, and then killed.
  let asked = 0;
  const repeat = setInterval(() => {
    if (stop.aborted) child.kill((asked += 1) > MOST_REQUESTS ? "SIGKILL" : "SIGTERM");
  }, ASK_EVERY_MS);
  const ended = await end(child);
  clearInterval(repeat);
  return { stdout: "", stderr: "", ...ended };
}

/** Starts a program that has nothing to do with this one, such as a browser; nothing is known about how it ends. */
export function startAndForget(program: string, args: string[], env: Environment): void {
  const child = childProcess().spawn(program, args, { env: { ...env }, stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}

/** Starts a program that goes on when this process ends; its output is appended to a file. */
export function startInBackground(
  program: string,
  args: string[],
  { env, output }: { env: Environment; output: string },
): { pid: number | undefined; ended: Promise<unknown> } {
  const file = openSync(output, "a", 0o600);
  try {
    const child = childProcess().spawn(program, args, {
      env: { ...env },
      cwd: "/",
      // A process group of its own: what a person types into this terminal does not reach it.
      detached: true,
      stdio: ["ignore", file, file],
    });
    child.unref();
    return { pid: child.pid, ended: end(child) };
  } finally {
    closeSync(file);
  }
}

/** The output of a small program; undefined if it failed, is missing or did not end in time. */
export function readProgram(program: string, ...args: string[]): string | undefined {
  const run = childProcess().spawnSync(program, args, {
    encoding: "utf8",
    timeout: 2_000,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    // The output must not depend on the person's environment.
    env: { PATH: "/usr/bin:/bin", TZ: "UTC", LC_ALL: "C" },
  });
  return run.status === 0 ? run.stdout : undefined;
}

function end(child: ChildProcessModule.ChildProcess): Promise<Pick<ProgramRun, "code" | "failure">> {
  return new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, failure: "missing" }));
    child.once("exit", (code) => resolve({ code }));
  });
}

/** Loaded only when needed: most starts on Linux never need it, and all would pay for it. */
function childProcess(): typeof ChildProcessModule {
  return process.getBuiltinModule("node:child_process");
}

/** Finds a program as the shell would. */
export function findProgram(name: string, path: string | undefined): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  return (path ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  return succeeds(() => accessSync(path, constants.X_OK)) && tryTo(() => statSync(path).isFile()) === true;
}
