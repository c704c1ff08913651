/** A real Zellij in a world of its own, with an agent program that records, and a log of every call of Zellij. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES, type Role } from "../../src/army/roles.ts";
import { endStragglers } from "./end-stragglers.ts";
import { makePerson, type Person } from "./person.ts";
import { programPath } from "./program-path.ts";
import { followLines, readLines } from "./read-lines.ts";
import { reachPane, type Pane } from "./reach-pane.ts";
import { runCommand, type CommandRun } from "./run-command.ts";
import { stopCall, type StoppedCall } from "./stop-call.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { waitUntil } from "./wait-until.ts";

interface Recording {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  pid: number;
  relay: number;
}

export interface PracticeLine {
  at: string;
  role: Role;
  event: string;
  prompt?: string;
  hook?: string;
}

export interface ZellijWorld extends Pick<Person, "sandbox" | "env" | "project" | "relayDir" | "start"> {
  ovld: (...args: string[]) => Promise<CommandRun>;
  /** The same in a folder other than the project. */
  ovldIn: (folder: string, ...args: string[]) => Promise<CommandRun>;
  zellij: (...args: string[]) => Promise<CommandRun>;
  /** Starts `ovld` on a terminal of 200 × 50. */
  ovldOnTerminal: (...args: string[]) => Terminal;
  zellijOnTerminal: (...args: string[]) => Terminal;
  /** Every call of Zellij so far, by ovld or by the test. */
  calls: () => string[];
  sessions: () => Promise<string>;
  panes: (session?: string) => Promise<any[]>;
  /** The pane with this title, once it exists. */
  pane: (title: string, session?: string) => Pane;
  /** What the agents recorded, once all six have. */
  recordings: () => Promise<Map<Role, Recording>>;
  /** The process that serves a session. */
  server: (session?: string) => number;
  /** Inserts lines into the script by which ovld calls Zellij, after the script has logged the call. */
  beforeZellij: (lines: string) => void;
  /** Stops ovld at its next call of Zellij with arguments like these, a pattern of the shell. */
  stopAt: (pattern: string, when: "before" | "after") => StoppedCall;
  /** What was typed into a role's pane so far. */
  typed: (role: Role) => string;
  /** The prompts that a role was sent, in order. */
  prompts: (role: Role) => string[];
  /** How often Enter was pressed in a role's pane. */
  enters: (role: Role) => number;
  /** What practice agents have recorded so far. */
  record: () => PracticeLine[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** A summon waits up to two minutes for agents that are not ready. */
const OVLD_DONE_WITHIN_MS = 180_000;
/** Its client can loop forever when its server dies. */
const ZELLIJ_DONE_WITHIN_MS = 20_000;

export function makeZellijWorld(extraEnv: Record<string, string> = {}): ZellijWorld {
  const person = makePerson();
  const { sandbox, env, project } = person;
  const folder = (name: string): string => {
    const path = join(sandbox.root, name);
    mkdirSync(path);
    return path;
  };
  const [bin, records] = [folder("bin"), folder("records")];
  const [log, record] = [join(sandbox.root, "log"), join(sandbox.root, "record")];
  const real = process.env["OVLD_TEST_ZELLIJ"] ?? "zellij";
  const writeWrapper = (lines: string): void =>
    script(join(bin, "zellij"), `printf '%s\\n' "$*" >> '${log}'\n${lines}\nexec '${real}' "$@"`);
  writeWrapper("");
  script(join(bin, "claude"), `exec '${process.execPath}' '${programPath("recorder.mjs")}' "$@"`);
  const trusted = { projects: { [project]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(sandbox.home, ".claude.json"), JSON.stringify(trusted));
  Object.assign(env, {
    PATH: `${bin}:${env["PATH"]}`,
    XDG_CACHE_HOME: folder("cache"),
    RECORDER_DIR: records,
    OVLD_PRACTICE_RECORD: record,
    ...extraEnv,
  });
  const ovldIn: ZellijWorld["ovldIn"] = (cwd, ...args) =>
    person.ovld(args, { cwd, withinMs: OVLD_DONE_WITHIN_MS });
  const zellij: ZellijWorld["zellij"] = (...args) =>
    runCommand(sandbox, [real, ...args], { env, cwd: project, withinMs: ZELLIJ_DONE_WITHIN_MS });
  const world: ZellijWorld = {
    ...person,
    ovld: (...args) => ovldIn(project, ...args),
    ovldIn,
    zellij,
    ovldOnTerminal: (...args) => person.onTerminal(args),
    zellijOnTerminal: (...args) => openTerminal(sandbox, env, project, [real, ...args]),
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : []),
    sessions: async () => (await zellij("list-sessions", "--no-formatting")).stdout,
    panes: async (session = "overlord") => {
      // Zellij sometimes answers with nothing, which does not mean that there are no panes.
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const { stdout } = await zellij("--session", session, "action", "list-panes", "--json");
        if (stdout.trim() !== "") return JSON.parse(stdout).filter((pane: any) => !pane.is_plugin);
      }
      return [];
    },
    pane: (title, session = "overlord") => reachPane(world, title, session),
    recordings: async () => {
      await waitUntil("all six have sat down", () => recordedRoles(records).length === ROLES.length);
      return readRecordings(records);
    },
    server: (session = "overlord") =>
      serverOf(join(env["ZELLIJ_SOCKET_DIR"] ?? "", "contract_version_1", session)),
    beforeZellij: (lines) => writeWrapper(lines),
    stopAt(pattern, when) {
      const { lines, call } = stopCall(sandbox.root, real, pattern, when);
      writeWrapper(lines);
      return call;
    },
    typed: (role) => readIfThere(join(records, `${role}.bytes`)),
    prompts: (role) => readLines<string>(join(records, `${role}.prompts`)),
    enters: (role) => readIfThere(join(records, `${role}.enters`)).length,
    record: followLines<PracticeLine>(record),
    async [Symbol.asyncDispose]() {
      try {
        for (const [, name = ""] of (await world.sessions()).matchAll(/^(\S+) \[/gm))
          await zellij("delete-session", "--force", name);
        await endStragglers(sandbox.home);
      } finally {
        await sandbox[Symbol.asyncDispose]();
      }
    },
  };
  return world;
}

function script(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** Finds the server by its arguments, which keep the session's original name. */
function serverOf(socket: string): number {
  const found = readdirSync("/proc").find((pid) => {
    const words = /^\d+$/.test(pid) ? readIfThere(`/proc/${pid}/cmdline`).split("\0") : [];
    return words.includes("--server") && words.includes(socket);
  });
  if (found === undefined) throw new Error(`no server of ${socket}`);
  return Number(found);
}

/** A process may end between a look at its folder and this one. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function recordedRoles(folder: string): Role[] {
  return ROLES.filter((role) => existsSync(join(folder, `${role}.json`)));
}

function readRecordings(folder: string): Map<Role, Recording> {
  return new Map(
    ROLES.map((role): [Role, Recording] => [
      role,
      JSON.parse(readFileSync(join(folder, `${role}.json`), "utf8")),
    ]),
  );
}
