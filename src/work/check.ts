/**
 * Checks a commit in a clean tree, at exactly that commit. The check runs in the landing tree, as a process group of its
 * own that is ended with it. Ignored files stay there between checks: they are the tools' caches.
 */
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod/mini";
import { readRecord, writeRecord } from "../system/record.ts";
import { runInGroup } from "../system/run-program.ts";
import { git, runGit, withoutGit, WORK_MARK } from "./git.ts";
import { endChecks } from "./recover.ts";
import { checkOutDetached, discardTree, looksMade, placeOf, provideTree, removeTreeLocks } from "./trees.ts";
import { LANDING, type TreeName, type Work } from "./work.ts";
import { tryTo } from "../system/file-error.ts";

export interface RedVerdict {
  is: "red";
  command: string;
  said: string;
  log: string;
}

/** `none`: there was nothing to run. */
export type CheckVerdict = { is: "green" } | { is: "none" } | RedVerdict;

const MOST_LOG_BYTES = 4 * 1024 * 1024;
/** As much as an agent needs to see at first. */
const FIRST_SCREEN_LINES = 40;
const MOST_SAID = 4_000;
/** Packages may have changed if one of these has. */
const LOCK_FILES = /\.lockb?$|-lock\.|\tgo\.sum$|\trequirements.*\.txt$/;

const lastSchema = z.object({ tree: z.string(), commands: z.array(z.string()) });
const setupSchema = z.object({ packages: z.string() });

/** Runs the commands one after the other until one fails. What is green once stays so for the same files. */
export async function checkCommit(
  work: Work,
  { commit, tree }: { commit: string; tree: string },
  commands: string[],
  stop: AbortSignal,
): Promise<CheckVerdict> {
  if (commands.length === 0) return { is: "none" };
  const memory = join(work.folder, "last-green.json");
  const last = readRecord(memory, lastSchema);
  if (work.setup !== undefined) await checkOut(work, commit, stop);
  const problem = await setUp(work, LANDING, stop);
  if (problem) return problem;
  if (last?.tree === tree && commands.every((command) => last.commands.includes(command)))
    return { is: "green" };
  for (const command of commands) {
    const verdict = await run(work, command, commit, stop);
    if (verdict.is === "red") return verdict;
  }
  // Without it the check would only run once more.
  writeRecord(memory, { tree, commands }, { lasting: false });
  return { is: "green" };
}

/** A check may have left anything there: what git can no longer use is made again. */
async function checkOut(work: Work, commit: string, stop: AbortSignal): Promise<void> {
  try {
    await reachCommit(work, commit, stop);
  } catch {
    stop.throwIfAborted();
    await discardTree(work, LANDING);
    await reachCommit(work, commit, stop);
  }
  work.onStep("checked-out");
}

async function reachCommit(work: Work, commit: string, stop: AbortSignal): Promise<void> {
  const place = placeOf(work, LANDING);
  if (!looksMade(work, LANDING)) await provideTree(work, LANDING, commit);
  removeTreeLocks(place);
  await checkOutDetached(place, commit, { stop });
  // A git or a check that nobody waits for any more may have written there meanwhile.
  if ((await runGit(place, ["diff", "--quiet", "HEAD"])).code !== 0)
    await checkOutDetached(place, commit, { stop });
  await git(place, ["clean", "-ffdq"], { stop });
}

/**
 * Makes a tree usable, unless it was for the same packages; those of a role's tree are later its agent's affair. Returns
 * how the setup failed: then the next call tries it again.
 */
export async function setUp(
  work: Work,
  tree: TreeName,
  stop: AbortSignal,
  onBegin: (command: string) => void = () => {},
): Promise<RedVerdict | undefined> {
  const { setup: command } = work;
  if (command === undefined) return undefined;
  const place = placeOf(work, tree);
  // Where it goes with the tree.
  const memory = resolve(place.folder, await git(place, ["rev-parse", "--git-path", "ovld-set-up.json"]));
  const files = tree === LANDING ? (await git(place, ["ls-tree", "HEAD"])).split("\n") : [];
  const packages = files.filter((line) => LOCK_FILES.test(line)).join("\n");
  const id = createHash("sha256").update(`${command}\n${packages}`).digest("hex");
  if (readRecord(memory, setupSchema)?.packages === id) return undefined;
  // One that fails half-way may have removed what the last one had installed.
  rmSync(memory, { force: true });
  onBegin(command);
  const { code, log, said } = await runLogged(work, place.folder, command, `setup-${tree}`, stop);
  if (code !== 0) return { is: "red", command, said, log };
  writeRecord(memory, { packages: id });
  return undefined;
}

/** Each command sees the commit itself, not what another has made of it. */
async function run(work: Work, command: string, commit: string, stop: AbortSignal): Promise<CheckVerdict> {
  const place = placeOf(work, LANDING);
  await checkOut(work, commit, stop);
  work.onStep("checking");
  const name = commit.slice(0, 12);
  writeRecord(checkingFile(work), name, { lasting: false });
  const { code, log, said } = await runLogged(work, place.folder, command, name, stop);
  const head = await runGit(place, ["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"]);
  const [at, branch] = head.stdout.split("\n");
  // It may be the target, on which nothing could land then.
  if (branch !== "HEAD") await discardTree(work, LANDING);
  if (at !== commit)
    return { is: "red", command, said: "The check changed HEAD: what it saw is not what would land.", log };
  return code === 0 ? { is: "green" } : { is: "red", command, said, log };
}

/** What the checks of a commit have written; without one, of the commit that was checked last, or is being checked. */
export function logOfCheck(work: Work, commit = readRecord(checkingFile(work), z.string()) ?? ""): string {
  return join(work.checks, `${commit.slice(0, 12)}.log`);
}

function checkingFile(work: Work): string {
  return join(work.folder, "checking.json");
}

/** Runs a command of the project's in one of its trees. Its output goes to a file, of which `said` is as much as helps. */
export async function runLogged(work: Work, cwd: string, command: string, name: string, stop: AbortSignal) {
  mkdirSync(work.checks, { recursive: true, mode: 0o700 });
  const log = join(work.checks, `${name}.log`);
  const file = openSync(log, "a", 0o600);
  let room = MOST_LOG_BYTES;
  const write = (text: string | Buffer): void => {
    // On a full disk the check still counts.
    tryTo(() => writeFileSync(file, text));
  };
  const isLanding = cwd === work.treeOf(LANDING);
  try {
    write(`$ ${command}\n`);
    const { code, failure } = await runInGroup("/bin/sh", ["-c", command], {
      env: checkEnvironment(work, isLanding),
      cwd,
      deadlineMs: work.checkMinutes * 60_000,
      stop,
      onOutput(bytes) {
        if (room > 0) write(bytes.subarray(0, room));
        room -= bytes.length;
      },
    });
    if (isLanding) endChecks(work);
    stop.throwIfAborted();
    const why = failure === "deadline" ? `(ended after ${work.checkMinutes} minutes)\n` : "";
    return { code, log, said: code === 0 ? "" : why + firstScreen(log) };
  } finally {
    if (room < 0) write(`\n(${-room} more bytes)\n`);
    closeSync(file);
  }
}

/** What tests print last matters most; what a compiler prints first does. So both ends are shown. */
function firstScreen(log: string): string {
  const lines = readFileSync(log, "utf8").split("\n");
  const half = FIRST_SCREEN_LINES / 2;
  const isShort = lines.length <= FIRST_SCREEN_LINES;
  const text = (isShort ? lines : [...lines.slice(0, half), "…", ...lines.slice(-half)]).join("\n").trim();
  return text.length <= 2 * MOST_SAID ? text : `${text.slice(0, MOST_SAID)}\n…\n${text.slice(-MOST_SAID)}`;
}

/**
 * Without a git around us, and without what only a relay should know. What runs in the landing tree is marked, and
 * ended by whoever lands next; the setup of a role's tree has nothing to do with landing.
 */
function checkEnvironment(work: Work, isMarked: boolean): Record<string, string | undefined> {
  const kept = Object.entries(withoutGit(work.env)).filter(([name]) => !/^(OVLD_|ZELLIJ|CLAUDE)/.test(name));
  const mark = isMarked ? { OVLD_CHECK: "1", [WORK_MARK]: work.folder } : {};
  return { ...Object.fromEntries(kept), CI: "1", ...mark };
}
