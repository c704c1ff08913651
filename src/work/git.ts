/** Runs git. What it writes is synced, it never asks anybody, and nothing of a git around this process reaches it. */
import { OvldError } from "../system/ovld-error.ts";
import { runProgram, type Environment, type ProgramRun } from "../system/run-program.ts";

/** A folder in which git is run, with the environment for it. */
export interface GitPlace {
  folder: string;
  env: Environment;
}

export interface GitOptions {
  /** Such as `GIT_INDEX_FILE`. */
  env?: Environment;
  input?: string | Uint8Array;
  encoding?: "base64";
  stop?: AbortSignal | undefined;
  /** It is killed when it has written more characters than this. */
  mostOutput?: number;
}

/** Checking out a large repository takes minutes on a slow disk; only a hang reaches this. */
const DEADLINE_MS = 20 * 60_000;
const SETTINGS = ["core.fsync=committed", "core.quotePath=false", "gc.auto=0"].flatMap((each) => [
  "-c",
  each,
]);
/** The language of messages that we read, no questions, and no lock on an index that is only looked at. */
const FIXED = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
/** Set for every process that is started for an army's work, so that those of a killed process are found. */
export const WORK_MARK = "OVLD_WORK";

export function runGit(
  { folder, env }: GitPlace,
  args: string[],
  options: GitOptions = {},
): Promise<ProgramRun> {
  return runProgram("git", [...SETTINGS, ...args], {
    env: { ...withoutGit(env), ...FIXED, ...options.env },
    cwd: folder,
    deadlineMs: DEADLINE_MS,
    stop: options.stop,
    input: options.input,
    encoding: options.encoding,
    mostOutput: options.mostOutput,
  });
}

/** Its output, without the newline at its end. */
export async function git(place: GitPlace, args: string[], options?: GitOptions): Promise<string> {
  const run = await runGit(place, args, options);
  if (run.code === 0) return run.stdout.replace(/\n$/, "");
  options?.stop?.throwIfAborted();
  throw gitFailure(args, run);
}

export function gitFailure(args: string[], run: ProgramRun): OvldError {
  const said = run.stderr.trim() || run.stdout.trim() || (run.failure ?? `exit code ${run.code}`);
  return new OvldError({ code: "git-failed", facts: { command: `git ${args.join(" ")}`, said } });
}

/** The branch that is checked out. Not git's own short name for it, which is another one if a tag has the same name. */
export async function branchIn(place: GitPlace): Promise<string | undefined> {
  const run = await runGit(place, ["symbolic-ref", "--quiet", "HEAD"]);
  return run.code === 0 ? run.stdout.trim().replace(/^refs\/heads\//, "") : undefined;
}

/** Output of `-z`: file names may contain anything but a null. */
export function splitNulls(output: string): string[] {
  return output.split("\0").filter((part) => part !== "");
}

/** A git that runs this process, as for a hook, tells its children which repository and index to use. */
export function withoutGit(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
}
