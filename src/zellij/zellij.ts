/**
 * Runs Zellij: arguments in, outcome out, always with a deadline.
 *
 * With Zellij, exit code 0 proves nothing, so callers check what an answer means. Its client can loop forever when
 * its server dies, hence the deadline.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lazily, pause, waitUntil } from "../system/async.ts";
import { addName } from "../system/durable-files.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { isLocked, removeDeadLock, withLock } from "../system/lock-file.ts";
import { OvldError } from "../system/ovld-error.ts";
import { identifyOurselves, isProcessAlive } from "../system/process.ts";
import { type Environment, runProgram, type ProgramRun } from "../system/run-program.ts";
import { findServer, presentName } from "./session-record.ts";
import { expectOwnSockets, socketFolder, socketPath, startLock, SUB_FOLDER } from "./socket.ts";

export interface Zellij {
  program: string;
  /** The environment in which its sessions are created, without the marks of a session that we may be running in. */
  env: Environment;
  /** Ends running calls, whose answers are no longer needed. */
  stop?: AbortSignal;
  /** The army's record of its own session (session-record.ts), by which it is found after a person has renamed it. */
  record?: string | undefined;
}

const CALL_WITHIN_MS = 10_000;

/** An action reaches only that session, under its current name. */
export function runAction(zellij: Zellij, session: string, ...action: string[]): Promise<ProgramRun> {
  const name = presentName(zellij, session);
  return runInView(zellij, name, ["--session", name ?? session, "action", ...action]);
}

/**
 * Zellij loses a call now and then, or answers with nothing or that there is no such session, mostly while it gets
 * several calls at the same time. So it is asked again, until the answer counts or has come that often.
 */
export async function askAgain<Answer>(
  ask: () => Promise<Answer>,
  counts: (answer: Answer) => boolean | Promise<boolean>,
  {
    attempts = 3,
    everyMs = 50,
    stop,
  }: { attempts?: number; everyMs?: number; stop?: AbortSignal | undefined } = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if ((await counts(answer)) || attempt === attempts) return answer;
    await pause(everyMs, stop);
  }
}

/**
 * Calls Zellij so that it sees only the session that currently has this name. `hasListener`: whether a process listens
 * on the session's socket, whatever it answered.
 */
export async function runInView(
  zellij: Zellij,
  name: string | undefined,
  args: string[],
  deadlineMs = CALL_WITHIN_MS,
): Promise<ProgramRun & { hasListener: boolean }> {
  expectOwnSockets(zellij);
  const view = viewSession(zellij, name);
  if (view === undefined) {
    await untilNobodyStarts(zellij);
    return { ...(await runZellijAtOnce(zellij, ...args)), hasListener: false };
  }
  const { program, stop } = zellij;
  try {
    const run = await runProgram(program, args, { env: view.env, cwd: view.cwd, deadlineMs, stop });
    if (run.failure === "deadline") throw silent(zellij, name ?? "", deadlineMs);
    return { ...run, hasListener: view.hasListener() };
  } finally {
    view.close();
  }
}

/** Does not wait for sessions that are starting; for calls that connect to no socket. */
export async function runZellijAtOnce(zellij: Zellij, ...args: string[]): Promise<ProgramRun> {
  const { program, env, stop } = zellij;
  const run = await runProgram(program, args, { env, deadlineMs: CALL_WITHIN_MS, stop });
  if (run.failure === "deadline") throw hanging(args, CALL_WITHIN_MS);
  return run;
}

export function hanging(args: readonly string[], milliseconds: number): OvldError {
  const facts = { command: args.join(" "), seconds: milliseconds / 1000 };
  return new OvldError({ code: "zellij-hangs", facts });
}

function silent(zellij: Zellij, session: string, milliseconds: number): OvldError {
  const pid = Number.parseInt(findServer(zellij, session) ?? "", 10);
  const facts = { session, seconds: milliseconds / 1000, pid: Number.isNaN(pid) ? null : pid };
  return new OvldError({ code: "session-silent", facts });
}

export function refused(command: string, said: string): OvldError {
  return new OvldError({ code: "zellij-refused", facts: { command, said } });
}

/** What Zellij printed, on either stream, as one line. */
export function saidBy({ stdout, stderr }: ProgramRun): string {
  return `${stderr} ${stdout}`
    .replaceAll(/\u001b\[[0-9;]*m/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const PREFIX = "ovld-view-";
const us = lazily(() => identifyOurselves());
let views = 0;

/**
 * Makes Zellij see one session only.
 *
 * Every call of Zellij connects to every socket in its folder, waits for each answer without a limit, and removes the
 * sockets that refuse. So one frozen session would block all our calls, and a session that is just starting could
 * lose its socket to them. To reach one session, we call Zellij with another socket folder, which contains only a
 * second name for that session's socket. No other socket is touched.
 *
 * Undefined if no view can be made. A session without a socket cannot be seen, but what Zellij has saved of it
 * can.
 */
function viewSession(zellij: Zellij, session: string | undefined) {
  const folder = socketFolder(zellij);
  const root = join(folder, `${PREFIX}${us()}-${(views += 1)}`);
  const link = join(root, SUB_FOLDER, session ?? "");
  const view = (sockets: string, cwd: string | undefined) => ({
    env: { ...zellij.env, ZELLIJ_SOCKET_DIR: sockets },
    /** The folder to run Zellij in: the view's path is relative to it, so that it is never too long for a socket. */
    cwd,
    /** Whether a process listens on the socket, as the last call found: Zellij removes sockets that refuse. */
    hasListener: () => existsSync(link),
    close: () => rmSync(root, { recursive: true, force: true }),
  });
  // A missing folder is the same as one without sockets.
  const nothing = view(root, undefined);
  if (session === undefined) return nothing;
  try {
    if (views === 1) sweep(folder);
    mkdirSync(root, { mode: 0o700 });
    mkdirSync(join(root, SUB_FOLDER), { mode: 0o700 });
    addName(socketPath(zellij, session), link);
    return view(".", root);
  } catch (error) {
    nothing.close();
    return hasErrorCode(error, "ENOENT") ? nothing : undefined;
  }
}

/**
 * When a server whose session was renamed ends, it removes the socket with the old name, even if another session has
 * that name by now. Returns a function that puts such a socket back; call it when the server has ended.
 */
export function keepSocketOf(zellij: Zellij, name: string): () => void {
  const view = viewSession(zellij, name);
  return () => {
    const [kept, socket] = [join(view?.cwd ?? "", SUB_FOLDER, name), socketPath(zellij, name)];
    if (view?.cwd !== undefined && !existsSync(socket)) addName(kept, socket);
    view?.close();
  };
}

/** Removes the views of killed processes. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX) || isProcessAlive(name.slice(PREFIX.length))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Keeps Zellij calls that see all sessions away from sessions that are just starting. Call `made` as soon as the session
 * answers.
 *
 * Such a call connects to every socket and removes those that refuse. A new socket does not answer yet, and its
 * session would be lost for good. So a process that creates a session holds a lock next to the sockets until the
 * session answers, one process at a time, and calls that see all sessions wait for it. Calls for one session see no
 * other (`viewSession`) and need not wait.
 */
export async function whileStarting<Result>(
  zellij: Zellij,
  stop: AbortSignal,
  start: (made: () => void) => Promise<Result>,
): Promise<Result> {
  expectOwnSockets(zellij);
  return withLock(startLock(zellij), stop, async (made) => {
    // By then, calls that were made before the lock was taken have been answered.
    await pause(100, stop);
    return start(made);
  });
}

export async function untilNobodyStarts(zellij: Zellij): Promise<void> {
  expectOwnSockets(zellij);
  const isFree = (): boolean => !isLocked(startLock(zellij));
  await waitUntil(isFree, { everyMs: 25, withinMs: 20_000, stop: zellij.stop });
  removeDeadStart(zellij);
}

/** Removes the lock of a summon that was killed while it held it. */
export function removeDeadStart(zellij: Zellij): void {
  expectOwnSockets(zellij);
  removeDeadLock(startLock(zellij));
}
