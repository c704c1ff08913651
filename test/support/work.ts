/** A repository with an army's work in trees, made of real git in a temporary folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Role } from "../../src/army/roles.ts";
import type { Task } from "../../src/work/board.ts";
import { provideTarget } from "../../src/work/target.ts";
import { provideTree } from "../../src/work/trees.ts";
import { openWork, recordWork, type WorkRecord, type WorkStep } from "../../src/work/work.ts";

export interface Workplace extends AsyncDisposable {
  root: string;
  home: string;
  folder: string;
  env: Record<string, string | undefined>;
}

const IDENTITY = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.org",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.org",
};

/** Runs git as a person or an agent would. */
export function gitAs(folder: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], HOME: folder, ...IDENTITY };
  return execFileSync("git", args, {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

export function write(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export function commit(folder: string, files: Record<string, string>, message = "change"): string {
  write(folder, files);
  gitAs(folder, "add", "-A");
  gitAs(folder, "commit", "-q", "-m", message);
  return gitAs(folder, "rev-parse", "HEAD");
}

/** `where` is a root that exists, with the folder of an army's work in it; without one it is a new one. */
export function makeWorkplace(
  files: Record<string, string>,
  record: Partial<WorkRecord> = {},
  where?: { root: string; folder: string },
): Workplace {
  const root = where?.root ?? realpathSync(mkdtempSync(join(tmpdir(), "ovld-work-")));
  const home = join(root, "project");
  mkdirSync(home, { recursive: true });
  gitAs(home, "init", "-q", "-b", "main");
  commit(home, files, "begin");
  const folder = where?.folder ?? join(root, "store", "work");
  mkdirSync(folder, { recursive: true });
  const whole = {
    army: "overlord",
    home,
    branch: "main",
    trees: join(root, "trees"),
    checkMinutes: 1,
    intoMine: false,
    folder: "",
    lastNumber: 0,
  };
  recordWork(folder, { ...whole, ...record });
  const env = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_GLOBAL: "/dev/null" };
  return {
    root,
    home,
    folder,
    env,
    async [Symbol.asyncDispose]() {
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function workIn({ folder, env }: Workplace, onStep?: (step: WorkStep) => void) {
  const work = openWork(folder, env, onStep);
  if (work === undefined) throw new Error("there is no work");
  return work;
}

export async function beginWork(place: Workplace, roles: Role[]) {
  const work = workIn(place);
  await provideTarget(work, "new");
  for (const role of roles) await provideTree(work, role, work.targetRef);
  return work;
}

export function task(title: string, more: Partial<Task> = {}): Task {
  return { title, goal: title, after: [], by: "strategist", created: "2026-11-18T00:00:00.000Z", ...more };
}
