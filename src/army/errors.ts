/**
 * The errors that a person or a model may read: the exit code of a command that ends with it, and the facts that its
 * sentences tell (i18n/en/errors.ts, i18n/ja/errors.ts).
 * docs/errors.md lists them, and a test keeps it complete.
 */
import type { Role } from "./roles.ts";
import type { FileProblem } from "../system/read-file.ts";

/** How a command ends, for scripts; explained in docs/commands.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  /** It was called in a way that makes no sense. */
  usage: 2,
  noArmy: 3,
  /** Something prevents the work from starting, and the person has to fix it. */
  precondition: 4,
  /** It would collide with something that exists. */
  conflict: 5,
} as const;

interface ErrorKind<Facts> {
  exit: number;
  /** Never set: it only carries the type. */
  facts?: Facts;
}

function error<Facts extends object = Record<string, never>>(
  exit: Exclude<keyof typeof EXIT, "done">,
): ErrorKind<Facts> {
  return { exit: EXIT[exit] };
}

type FactsOf<Errors extends Record<string, ErrorKind<object>>> = {
  [Code in keyof Errors]: NonNullable<Errors[Code]["facts"]>;
};

declare module "../system/ovld-error.ts" {
  interface ErrorFacts extends FactsOf<typeof ERRORS> {}
}

export const ERRORS = {
  "env-missing": error<{ variable: string }>("precondition"),
  "env-wrong": error<{ variable: string; value: string; expected: Expectation }>("precondition"),
  "store-gone": error<{ path: string }>("failed"),
  "store-newer": error<{ path: string; found: number; known: number }>("precondition"),
  "store-foreign": error<{ path: string }>("precondition"),
  "folder-taken": error<{ path: string }>("precondition"),
  "disk-full": error<{ path: string }>("failed"),
  "file-size-limit": error<{ path: string }>("failed"),
  "not-writable": error<{ path: string }>("precondition"),
  "file-trouble": error<{ path: string; reason: string }>("failed"),
  "file-wrong": error<{ path: string; reason: string }>("precondition"),
  "file-unfit": error<{ path: string; problem: FileProblem }>("precondition"),
  "too-long": error<{ field: string; limit: number; unit: "characters" | "bytes"; length: number }>("failed"),
  "inbox-full": error<{ role: string; limit: number; from?: string }>("failed"),
  "to-oneself": error<{ role: string }>("failed"),
  /** The order of command does not allow it; `instead` is empty if the role may write to nobody. */
  "out-of-command": error<{ role: string; to: string; instead: readonly string[] }>("failed"),
  "zellij-missing": error<{ oldest: string }>("precondition"),
  "zellij-not-provided": error<{
    version: string;
    why: DownloadProblem;
    said: string;
    /** The last output of cargo; empty if there is none. */
    cargo: string;
    command: string;
  }>("precondition"),
  "zellij-too-old": error<{ program: string; version: string; oldest: string }>("precondition"),
  "zellij-hangs": error<{ command: string; seconds: number }>("failed"),
  "sockets-foreign": error<{ path: string; owner: number }>("precondition"),
  /** A session does not answer; `pid` is its server's, if known. */
  "session-silent": error<{ session: string; seconds: number; pid: number | null }>("failed"),
  "port-taken": error<{ port: number }>("conflict"),
  "output-failed": error<{ reason: string }>("failed"),
  "session-elsewhere": error<{ session: string; folder: string }>("conflict"),
  "session-lost": error<{ session: string }>("conflict"),
  "zellij-refused": error<{ command: string; said: string }>("failed"),
  "agent-missing": error<{ program: string }>("precondition"),
  "agent-too-old": error<{ agent: string; program: string; version: string; oldest: string; update: string }>(
    "precondition",
  ),
  "no-terminal": error<{ command: string }>("precondition"),
  "session-name-wrong": error<{ name: string }>("precondition"),
  "session-name-too-long": error<{ name: string; limit: number }>("precondition"),
  "session-live": error<{ session: string }>("conflict"),
  "army-elsewhere": error<{ session: string; folder: string }>("conflict"),
  "flag-too-late": error<{ session: string; flag: string }>("conflict"),
  "name-taken": error<{ session: string }>("conflict"),
  "not-an-army": error<{ session: string }>("conflict"),
  "agent-may-not-end": error<{ path: string; command: string }>("precondition"),
  "agent-may-not-answer": error<{ command: string }>("precondition"),
  "army-running": error<{ session: string }>("conflict"),
  "no-army": error<{ session: string }>("noArmy"),
  "army-file": error<{ path: string; problem: ArmyFileProblem }>("precondition"),
  "army-crashed": error<{ session: string; folder: string }>("conflict"),
  "army-worked-elsewhere": error<{ session: string; folder: string }>("conflict"),
  "army-agent": error<{ session: string; was: string; asked: string }>("conflict"),
  "army-roles": error<{ session: string; roles: string[] }>("conflict"),
  "nothing-to-resume": error<{ session: string; folder: string }>("noArmy"),
  "resume-or-fresh": error("usage"),
  /** The command cannot be undone, the person cannot be asked, and they have not said `--yes`. */
  "needs-yes": error<{ command: string }>("usage"),
  "wish-and-resume": error("usage"),
  "no-archive": error<{ name: string }>("noArmy"),
  "archive-unreadable": error<{ name: string; path: string }>("precondition"),
  "empty-message": error<{ role: string }>("usage"),
  "no-such-message": error<{ id: string }>("failed"),
  "nothing-to-answer": error("failed"),
  "several-to-answer": error<{ letters: string[] }>("usage"),
  "nobody-to-answer": error<{ id: string }>("failed"),
  /** The army has ended, so nobody would read it. */
  "army-over": error<{ session: string }>("noArmy"),
  /** The agent is not running, so no answer can be waited for. */
  "no-answer-comes": error<{ role: string }>("failed"),
  "message-ambiguous": error<{ id: string; count: number; orMore: boolean; candidates: string[] }>("failed"),
  /** There is no note with this name; `meant` is empty if no name is close. */
  "no-such-note": error<{ name: string; folder: string; meant: string }>("failed"),
  "invalid-time": error<{ text: string }>("usage"),
  "config-syntax": error<{ path: string; line: number; reason: string }>("precondition"),
  /** The setting does not exist; `meant` is empty if no name is close. */
  "config-key": error<{ path: string; line: number; key: string; known: string[]; meant: string }>(
    "precondition",
  ),
  "config-value": error<{
    path: string;
    line: number;
    key: string;
    expected: Expectation;
    choices: string[];
  }>("precondition"),
  "cwd-gone": error("precondition"),
  "ritual-wrong": error<{ path: string; problem: RitualProblem }>("precondition"),
  "rituals-missing": error<{ path: string }>("precondition"),
  "no-such-role": error<{ word: string }>("usage"),
  "answer-whom": error("usage"),
  "no-request": error<{ role: string }>("failed"),
  "several-requests": error<{ role: string; ids: string[] }>("usage"),
  "request-unnamed": error<{ role: string }>("usage"),
  "answer-unfit": error<{ role: string; problem: VerdictProblem }>("usage"),
  "machine-failed": error<{ machine: string; command: string; said: string }>("failed"),
  "git-failed": error<{ command: string; said: string }>("failed"),
  "no-trees": error<{ problem: TreesProblem; detail: string }>("precondition"),
  "no-budget": error<{ session: string; spender: string }>("precondition"),
  "budget-words": error<{ words: string[] }>("usage"),
  "army-without-trees": error<{ session: string }>("precondition"),
  "no-tree-of-yours": error("precondition"),
  "role-without-tree": error<{ role: Role }>("precondition"),
  "tree-broken": error<{ path: string }>("precondition"),
  "board-elsewhere": error("precondition"),
  "board-silent": error("precondition"),
  "hand-in-refused": error<{ id: string; said: string }>("conflict"),
  "hand-in-too-large": error<{ id: string; kilobytes: number; limit: number; branch: string }>("conflict"),
  "tree-dirty": error<{ file: string; others: number; command: string }>("precondition"),
  "target-in-use": error<{ branch: string; path: string }>("precondition"),
  "no-such-task": error<{ id: string }>("failed"),
  "task-of-another": error<{ id: string; role: string }>("conflict"),
  "task-waits": error<{ id: string; tasks: string }>("precondition"),
  "task-state": error<{ id: string; state: string; role: string }>("conflict"),
  "no-task-here": error<{ branch: string }>("precondition"),
  "nothing-committed": error<{ id: string; branch: string }>("precondition"),
  "wrong-arguments": error<{ tool: string; problems: string[] }>("failed"),
  /** Of an army on several machines. */
  "hub-no-server": error<{ oldest: string; reason: string }>("precondition"),
  "hub-server-old": error<{ program: string; version: string; oldest: string }>("precondition"),
  "hub-none": error("precondition"),
  "hub-not-started": error<{ reason: string; log: string }>("failed"),
  "hub-not-stopped": error<{ pid: number }>("failed"),
  "hub-port-taken": error<{ listen: string }>("conflict"),
  "hub-stopped": error("precondition"),
  "hub-address": error<{ listen: string }>("usage"),
  "hub-validity": error<{ text: string }>("usage"),
  "hub-certificate": error<{ reason: string }>("precondition"),
  "hub-no-army": error<{ session: string }>("noArmy"),
  "hub-no-machine": error<{ session: string; machine: string; known: string[] }>("usage"),
  "hub-machine-taken": error<{ session: string; machine: string }>("conflict"),
  "hub-joined-already": error<{ session: string; machine: string; path: string }>("conflict"),
  "hub-join-file": error<{ path: string; problem: JoinFileProblem }>("precondition"),
  "hub-unreachable": error<{ servers: string[]; reason: string }>("failed"),
  "hub-refused": error<{ servers: string[]; machine: string }>("failed"),
  "hub-person-only": error<{ command: string }>("precondition"),
  "hub-unknown": error<{ reason: string }>("failed"),
  "hub-role-taken": error<{ role: string; machine: string }>("conflict"),
  "hub-newer": error<{ machine: string; found: number; known: number }>("precondition"),
  "hub-foreign": error<{ problem: ForeignProblem; what: string }>("precondition"),
  "hub-unfit": error<UnfitFacts>("precondition"),
  "hub-full": error<{ reason: string }>("failed"),
};

export type Expectation =
  | "a role"
  | "a session name"
  | "a key"
  | "an absolute path"
  | "a folder"
  | "a folder for notes alone"
  | "a folder to write in"
  | "a path"
  | "a text"
  | "a list of texts"
  | "prices of models"
  | "a table"
  | "a number in this range"
  | "limits"
  | "true or false"
  | "claude or practice"
  | "auto or pane"
  | "a nats-server"
  | "one of these";

/** Why an army cannot have trees. */
export type TreesProblem =
  "no-git" | "old-git" | "no-repository" | "bare" | "no-commit" | "no-branch" | "name-taken";

/** Why what has landed cannot be brought into the person's branch. */
export type HomeProblem = "no-branch" | "unfinished" | "diverged" | "conflict" | "red" | "in-the-way";

/** Why an army's own file cannot be understood. */
export type ArmyFileProblem = "damaged" | "newer";

/** Why an answer does not fit a request. */
export type VerdictProblem =
  | "only-in-the-pane"
  | "needs-answers"
  | "not-a-question"
  | "one-answer-each"
  | "not-offered"
  | "only-one-option";

/** Why the released Zellij was not downloaded. */
export type DownloadProblem = "no-release" | "not-reached" | "wrong-sum" | "no-program" | "does-not-run";

export type RitualProblem =
  "missing" | "unreadable" | "empty" | "too-large" | "not-utf8" | "control-characters" | "a-command";

/**
 * Why a join file cannot be used. `no-authority`: made for a hub without a certificate. `plain`: names a far server
 * without TLS. `used`: its keys are not accepted any more.
 */
export type JoinFileProblem = "missing" | "damaged" | "newer" | "expired" | "no-authority" | "plain" | "used";

/** Why a NATS server that somebody else runs cannot be used as configured, or what cannot be done with it from here. */
export type ForeignProblem =
  | "address"
  | "plain"
  | "needs-creds"
  | "needs-url"
  | "ca"
  | "missing"
  | "readable"
  | "damaged"
  | "own-hub"
  | "elsewhere"
  | "shared"
  | "given"
  | "stop"
  | "service"
  | "revoke"
  | "valid"
  | "listen";

/** What such a server lacks: `who` is a user of the army, `what` the subjects, the version and so on. */
export interface UnfitFacts {
  servers: string[];
  problem:
    "silent" | "no-tls" | "old" | "small" | "expired" | "refused" | "no-streams" | "unreached" | "not-apart";
  who: string;
  what: string;
}
