/**
 * Runs Zellij: arguments in, outcome out, always with a deadline.
 *
 * With Zellij, exit code 0 proves nothing, so callers check what an answer means. Its client can loop forever when
 * its server dies, hence the deadline.
 */
import { OvldError } from "../system/ovld-error.ts";
import { runProgram, type ProgramRun } from "../system/run-program.ts";
import { findServer, presentName } from "./session-record.ts";
import { viewSession } from "./session-view.ts";
import { expectOwnSockets } from "./socket-owner.ts";
import { untilNobodyStarts } from "./start-guard.ts";
import { CALL_WITHIN_MS } from "./timings.ts";

export interface Zellij {
  program: string;
  /** The environment in which its sessions are created, without the marks of a session that we may be running in. */
  env: Readonly<Record<string, string | undefined>>;
  /** Ends running calls, whose answers are no longer needed. */
  stop?: AbortSignal;
  /** The army's record of its own session (session-record.ts), by which it is found after a person has renamed it. */
  record?: string | undefined;
}

/** An action in a session (`--session NAME action …`) reaches only that session, under its current name. */
export async function runZellij(zellij: Zellij, ...args: string[]): Promise<ProgramRun> {
  const [flag, session, ...rest] = args;
  if (flag === "--session" && session !== undefined) {
    const name = presentName(zellij, session);
    return runInView(zellij, name, [flag, name ?? session, ...rest]);
  }
  await untilNobodyStarts(zellij);
  return runZellijAtOnce(zellij, ...args);
}

interface SessionRun extends ProgramRun {
  /** Whether a process listens on the session's socket, whatever it answered. */
  hasListener: boolean;
}

/** Calls Zellij so that it sees only the session that currently has this name. */
export async function runInView(
  zellij: Zellij,
  name: string | undefined,
  args: string[],
  deadlineMs = CALL_WITHIN_MS,
): Promise<SessionRun> {
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

/** Does not wait for sessions that are starting; for the process that creates one. */
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

/** What Zellij printed, on either stream, as one line. */
export function saidBy({ stdout, stderr }: ProgramRun): string {
  return `${stderr} ${stdout}`
    .replaceAll(/\u001b\[[0-9;]*m/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
