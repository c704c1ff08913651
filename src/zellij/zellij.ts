/**
 * Running Zellij: one function, argv in, checked outcome out, always with a deadline.
 *
 * Exit code 0 proves nothing with Zellij, so what an answer means is for the caller to check. The client can spin
 * for ever when its server dies, hence the deadline.
 */
import { OvldError } from "../system/ovld-error.ts";
import { runProgram, type ProgramRun } from "../system/run-program.ts";
import { untilNobodyStarts } from "./start-guard.ts";

export interface Zellij {
  program: string;
  /** The environment its sessions are made in; without the marks of a session we may be running in. */
  env: Readonly<Record<string, string | undefined>>;
  /** Ends calls that are under way; what they would have answered is then of no use to anybody. */
  stop?: AbortSignal;
}

const DEADLINE_MS = 10_000;

export async function runZellij(zellij: Zellij, ...args: string[]): Promise<ProgramRun> {
  await untilNobodyStarts(zellij);
  return runZellijAtOnce(zellij, ...args);
}

/** For whoever is making a session. */
export async function runZellijAtOnce(zellij: Zellij, ...args: string[]): Promise<ProgramRun> {
  const { program, env, stop } = zellij;
  const run = await runProgram(program, args, { env, deadlineMs: DEADLINE_MS, stop });
  if (run.failure === "deadline") {
    throw new OvldError({
      code: "zellij-hangs",
      facts: { command: args.join(" "), seconds: DEADLINE_MS / 1000 },
    });
  }
  return run;
}

/** What Zellij said, on either stream, as one line. */
export function saidBy({ stdout, stderr }: ProgramRun): string {
  return `${stderr} ${stdout}`
    .replaceAll(/\u001b\[[0-9;]*m/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
