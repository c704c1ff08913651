import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemProgram } from "../support/bare-machine.ts";
import { runCommand, type CommandRun } from "../support/run-command.ts";
import { makeSandbox, type Sandbox } from "../support/sandbox.ts";

const CHECKS = ["knip", "oxlint", "prettier", "publint", "tsc", "tsc"];

/** Notes how it was called, and fails or leaves something behind if it is told to. */
const STAND_IN = `#!/bin/sh
call="\${0##*/} $*"
echo "$call" >> "$LOG"
case "$call" in "\${LEAVES-nobody}"*) mkdir "$TMPDIR/ovld-$OVLD_TEST_RUN-left" ;; esac
case "$call" in "\${FAILS-nobody}"*) exit 1 ;; esac
`;

interface Project {
  run: (program: string, args: string[], more?: Record<string, string>) => Promise<CommandRun>;
  /** The programs that were called, and vitest with its arguments. */
  calls: () => string[];
}

/** This project's commands, with stand-ins for the programs that they call. */
function makeProject(sandbox: Sandbox): Project {
  const root = join(sandbox.root, "project");
  const [bin, log] = [join(root, "node_modules/.bin"), join(root, "log")];
  mkdirSync(bin, { recursive: true });
  for (const name of ["package.json", "scripts", ".ci"]) cpSync(name, join(root, name), { recursive: true });
  for (const name of ["package-lock.json", "node_modules/.installed-lock.json"])
    writeFileSync(join(root, name), "{}");
  writeFileSync(join(root, "scripts/build.mjs"), "");
  for (const name of [...CHECKS, "vitest"]) writeFileSync(join(bin, name), STAND_IN, { mode: 0o755 });
  return {
    run: (program, args, more) =>
      runCommand(sandbox, [program, ...args], { cwd: root, env: { ...sandbox.env, LOG: log, ...more } }),
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(nameCall) : []),
  };
}

/** What the checks are called with does not matter here. */
function nameCall(call: string): string {
  return /^(vitest|npm) /.test(call) ? call : call.replace(/ .*/, "");
}

it.each([
  [
    "npm test makes every check and runs the first tier",
    ["test"],
    [...CHECKS, "vitest run --exclude=**/*.rest.test.ts"],
  ],
  ["npm run test:rest makes no check and runs the rest", ["run", "test:rest"], ["vitest run .rest.test.ts"]],
  ["npm run test:all makes every check and runs all tests", ["run", "test:all"], [...CHECKS, "vitest run"]],
  [
    "npm test with an option for vitest runs the first tier",
    ["test", "--", "--bail=1"],
    [...CHECKS, "vitest run --exclude=**/*.rest.test.ts --bail=1"],
  ],
  [
    "npm test runs test files that are named, whatever their tier",
    ["test", "--", "x"],
    [...CHECKS, "vitest run x"],
  ],
  [
    "npm run test:rest runs test files that are named, whatever their tier",
    ["run", "test:rest", "--", "x"],
    ["vitest run x"],
  ],
])("%s", async (_, args, calls) => {
  await using sandbox = makeSandbox();
  const project = makeProject(sandbox);
  expect(await project.run("npm", args)).toMatchObject({ code: 0 });
  // The checks run side by side.
  expect(project.calls().toSorted()).toEqual(calls);
});

it("every check that fails is named, no test is run, and the last line counts them", async () => {
  await using sandbox = makeSandbox();
  const project = makeProject(sandbox);
  const { code, stdout } = await project.run("npm", ["test"], { FAILS: "tsc" });
  expect({ code, calls: project.calls().toSorted() }).toEqual({ code: 1, calls: CHECKS });
  expect(stdout).toMatch(/^failed: types \(/m);
  expect(stdout).toMatch(/^failed: types of the page \(/m);
  expect(stdout).toMatch(/\n0 passed, 2 failed, 0 skipped\n$/);
});

it.each(["test", "test:rest", "test:all"])(
  "npm run %s fails if a test fails, or leaves something behind",
  async (script) => {
    await using sandbox = makeSandbox();
    const project = makeProject(sandbox);
    expect(await project.run("npm", ["run", script], { FAILS: "vitest" })).toMatchObject({ code: 1 });
    expect(await project.run("npm", ["run", script], { LEAVES: "vitest" })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/The tests left something behind:\novld-\w+-left\n$/),
    });
  },
);

it.each([
  ["runs both tiers", "nobody", ["npm test", "npm run test:rest"], 0],
  ["fails at once if the first tier fails", "npm test", ["npm test"], 1],
  ["fails if the rest fails", "npm run test:rest", ["npm test", "npm run test:rest"], 1],
])(".ci/run %s", async (_, fails, calls, code) => {
  await using sandbox = makeSandbox();
  const project = makeProject(sandbox);
  // Whatever else the script may call is not there: nothing is installed on this machine.
  const path = join(sandbox.root, "path");
  mkdirSync(path);
  for (const name of ["sh", "bash"]) symlinkSync(systemProgram(name), join(path, name));
  writeFileSync(join(path, "npm"), STAND_IN, { mode: 0o755 });
  expect(await project.run(systemProgram("bash"), [".ci/run"], { PATH: path, FAILS: fails })).toMatchObject({
    code,
  });
  expect(project.calls()).toEqual(calls);
});

it("the first tier has every test file but those named *.rest.test.ts, and both tiers have all", async () => {
  await using sandbox = makeSandbox();
  const list = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await runCommand(
      sandbox,
      [process.execPath, "node_modules/.bin/vitest", "list", "--filesOnly", ...args],
      { env: { ...process.env, NO_COLOR: "1" } },
    );
    return stdout.split("\n").flatMap((line) => /test\/\S+\.test\.ts/.exec(line) ?? []);
  };
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name));
  expect((await list()).toSorted()).toEqual(files.toSorted());
  const first = await list("--exclude=**/*.rest.test.ts");
  expect(first.toSorted()).toEqual(files.filter((name) => !name.endsWith(".rest.test.ts")).toSorted());
});
