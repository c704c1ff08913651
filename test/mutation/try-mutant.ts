/** Puts one fault into a copy of the project, builds it, and sees whether a test fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Mutant } from "./find-mutants.ts";

export type Verdict = { verdict: "killed"; by: string } | { verdict: "survived" };

/** Unit tests of the fault's own folder, the process tests most likely to notice it, and all the others. */
export const ROUNDS = ["unit", "closest", "rest"] as const;

type Round = (typeof ROUNDS)[number];

export interface Workshop {
  tryMutant(mutant: Mutant, round: Round): Promise<Verdict>;
  /** The same tests without a fault: they must pass, or a failure proves nothing. */
  tryNone(mutants: readonly Mutant[], round: Round): Promise<Verdict>;
}

/** Syncing costs nothing there: the store syncs everything, and surviving a power cut is not tested here. */
const MEMORY = "/dev/shm";

/** Never in the checkout itself, so that no fault can stay in it. */
export function openWorkshop(checkout: string): Workshop {
  const place = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "mut"));
  // Some tests run a program as another user, who has to reach it.
  chmodSync(place, 0o755);
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  const root = join(place, "ovld");
  const skipped = new Set(["node_modules", "dist", ".git"]);
  cpSync(checkout, root, { recursive: true, filter: (path) => !skipped.has(basename(path)) });
  symlinkSync(join(checkout, "node_modules"), join(root, "node_modules"));
  return {
    async tryMutant(mutant, round) {
      const file = join(root, mutant.file);
      const source = readFileSync(file, "utf8");
      writeFileSync(file, source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end));
      try {
        return await judge(place, testsFor(root, mutant.file)[round]);
      } finally {
        writeFileSync(file, source);
      }
    },
    tryNone(mutants, round) {
      const files = mutants.flatMap(({ file }) => testsFor(root, file)[round].flat());
      return judge(place, [[...new Set(files)]]);
    },
  };
}

/** Test files, in separate runs one after the other. */
function testsFor(root: string, source: string): Record<Round, string[][]> {
  const folder = source.split("/")[1] ?? "";
  const own = `test/unit/${folder}/${basename(source, ".ts")}.test.ts`;
  const all = ["test/process", "test/hostile"].flatMap((tests) =>
    readdirSync(join(root, tests), { encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${tests}/${name}`),
  );
  const close = all.filter((path) => (CLOSEST[folder] ?? /^$/).test(basename(path)));
  const rest = all.filter((path) => !close.includes(path));
  return {
    unit: [...(existsSync(join(root, own)) ? [[own]] : []), [`test/unit/${folder}/`]],
    closest: [close],
    rest: [["test/unit", ...rest]],
  };
}

const CLOSEST: Readonly<Record<string, RegExp>> = {
  mail: /^(relay-tools|relay-concurrency|relay-disk|relay-end|send|log|folders|long-journal)/,
  relay: /^(relay-|bad-input)/,
  bell: /^(bell|carry|relay-tools|practice-agent|send)/,
  rituals: /^(practice-agent|init|config)/,
};

/** It packs the files of the checkout, and a copy with borrowed packages is not one. */
const UNFIT = ["--exclude=test/process/package.test.ts"];

/** A fault may loop forever. Generous, because the machine may have other work. */
const UNIT_LIMIT_MS = 180_000;
const PROGRAM_LIMIT_MS = 900_000;

async function judge(place: string, phases: string[][]): Promise<Verdict> {
  const root = join(place, "ovld");
  for (const files of phases) {
    // Unit tests read the sources; all the others need the built program.
    const needsProgram = files.some((file) => !file.startsWith("test/unit/"));
    const limitMs = needsProgram ? PROGRAM_LIMIT_MS : UNIT_LIMIT_MS;
    if (needsProgram && (await run(place, [join(root, "scripts/build.mjs")], limitMs)) !== undefined)
      return { verdict: "killed", by: "the build" };
    // A single failure under load proves nothing, so a test has to fail twice.
    const args = ["run", "--bail=1", "--retry=1", "--reporter=json", "--outputFile=report.json"];
    const command = [join(root, "node_modules/vitest/vitest.mjs"), ...args, ...UNFIT, ...files];
    let failure = await run(place, command, limitMs);
    if (failure === UNNAMED) failure = await run(place, command, limitMs);
    if (failure !== undefined) return { verdict: "killed", by: failure };
  }
  return { verdict: "survived" };
}

/** The failure, or undefined. */
async function run(place: string, args: string[], limitMs: number): Promise<string | undefined> {
  const [root, temporary] = [join(place, "ovld"), join(place, "t")];
  mkdirSync(temporary, { recursive: true });
  rmSync(join(root, "report.json"), { force: true });
  const env = { ...process.env, TMPDIR: temporary, CI: "" };
  // A process group of its own, so that an endless run can be ended with everything it started.
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "ignore", detached: true });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, limitMs);
  // An interrupt does not reach that group.
  const interrupted = (): void => {
    endGroup(child.pid);
    process.exit(130);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  const [code] = await once(child, "exit");
  process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
  clearTimeout(limit);
  endGroup(child.pid);
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  if (late) return `no end within ${limitMs / 1000} s`;
  return code === 0 ? undefined : firstFailure(join(root, "report.json"));
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // The group is already empty.
  }
}

function firstFailure(report: string): string {
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    for (const { name, assertionResults, message } of testResults) {
      const failed = assertionResults.find((test: any) => test.status === "failed");
      if (failed) return `${name.split("/test/").at(-1)}: ${failed.fullName}`;
      if (message) return `${name.split("/test/").at(-1)}: ${message.split("\n")[0]}`;
    }
  } catch {
    // The run broke before it could report anything.
  }
  return UNNAMED;
}

/** A run that failed without naming a test: it may have broken under load, or lost the name when it was stopped. */
const UNNAMED = "a test run that failed twice without a name";
