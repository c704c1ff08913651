/**
 * The errors that a person or a model may read: the exit code of a command that ends with it, and the facts that its
 * sentences tell (i18n/en/errors.ts, i18n/ja/errors.ts). Those of an army on several machines are in hub-errors.ts.
 */
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

export function error<Facts extends object = Record<string, never>>(
  exit: Exclude<keyof typeof EXIT, "done">,
): ErrorKind<Facts> {
  return { exit: EXIT[exit] };
}

export type FactsOf<Errors extends Record<string, ErrorKind<object>>> = {
  [Code in keyof Errors]: NonNullable<Errors[Code]["facts"]>;
};

declare module "../system/ovld-error.ts" {
  interface ErrorFacts extends FactsOf<typeof ERRORS> {}
}

export const ERRORS = {
  /** A required environment variable is unset or empty. */
  "env-missing": error<{ variable: string }>("precondition"),
  /** An environment variable has a value that cannot be used. */
  "env-wrong": error<{ variable: string; value: string; expected: Expectation }>("precondition"),
  /** The relay folder existed when this process started and is now gone. */
  "store-gone": error<{ path: string }>("failed"),
  /** A newer ovld created the store. */
  "store-newer": error<{ path: string; found: number; known: number }>("precondition"),
  /** Something the store did not create is in place of one of its files, or one of its files cannot be read. */
  "store-foreign": error<{ path: string }>("precondition"),
  /** The relay folder is not empty, and nothing shows that it belongs to ovld. */
  "folder-taken": error<{ path: string }>("precondition"),
  /** No space left on the disk, or the quota is used up. */
  "disk-full": error<{ path: string }>("failed"),
  /** The file-size limit of the process is too small. */
  "file-size-limit": error<{ path: string }>("failed"),
  /** The folder may not be written to. */
  "not-writable": error<{ path: string }>("precondition"),
  /** Any other error of the file system. */
  "file-trouble": error<{ path: string; reason: string }>("failed"),
  /** A file that a program was told to use has the wrong content. */
  "file-wrong": error<{ path: string; reason: string }>("precondition"),
  /** One of the person's files cannot be read or changed as it is. */
  "file-unfit": error<{ path: string; problem: FileProblem }>("precondition"),
  /** A text is longer than the store accepts. */
  "too-long": error<{ field: string; limit: number; unit: "characters" | "bytes"; length: number }>("failed"),
  /** The recipient has too much unread mail. */
  "inbox-full": error<{ role: string; limit: number }>("failed"),
  /** A message is addressed to its own sender. */
  "to-oneself": error<{ role: string }>("failed"),
  /** No Zellij was found. */
  "zellij-missing": error<{ oldest: string }>("precondition"),
  /** The Zellij that was found is too old. */
  "zellij-too-old": error<{ program: string; version: string; oldest: string }>("precondition"),
  /** Zellij did not answer in time and was killed. */
  "zellij-hangs": error<{ command: string; seconds: number }>("failed"),
  /** The folder of Zellij's sockets, or one of our files in it, belongs to another user. */
  "sockets-foreign": error<{ path: string; owner: number }>("precondition"),
  /** A session does not answer; `pid` is its server's, if known. */
  "session-silent": error<{ session: string; seconds: number; pid: number | null }>("failed"),
  /** The desk cannot listen on the port that was asked for. */
  "port-taken": error<{ port: number }>("conflict"),
  /** The output could not be written. */
  "output-failed": error<{ reason: string }>("failed"),
  /** The army is running, but its session uses another socket folder. */
  "session-elsewhere": error<{ session: string; folder: string }>("conflict"),
  /** The army is running, but its session can no longer be reached. */
  "session-lost": error<{ session: string }>("conflict"),
  /** Zellij reported an error. */
  "zellij-refused": error<{ command: string; said: string }>("failed"),
  /** The program that the panes should run was not found. */
  "agent-missing": error<{ program: string }>("precondition"),
  "agent-too-old": error<{ agent: string; program: string; version: string; oldest: string; update: string }>(
    "precondition",
  ),
  /** There is no terminal to open a session on. */
  "no-terminal": error<{ command: string }>("precondition"),
  /** A session name that cannot be used. */
  "session-name-wrong": error<{ name: string }>("precondition"),
  /** A session name too long for the path of its socket. */
  "session-name-too-long": error<{ name: string; limit: number }>("precondition"),
  /** The session is already running, and there is no terminal to attach to it. */
  "session-live": error<{ session: string }>("conflict"),
  /** An army with the default name is running, but in another folder. */
  "army-elsewhere": error<{ session: string; folder: string }>("conflict"),
  /** The flag only works with a summon that starts the agents. */
  "flag-too-late": error<{ session: string; flag: string }>("conflict"),
  /** Another army or another session has this name. */
  "name-taken": error<{ session: string }>("conflict"),
  /** There is a session with this name, but it is not an army. */
  "not-an-army": error<{ session: string }>("conflict"),
  /** An agent tried to end an army, which only the person may do. */
  "agent-may-not-end": error<{ path: string; command: string }>("precondition"),
  /** An agent tried to answer for the person. */
  "agent-may-not-answer": error<{ command: string }>("precondition"),
  /** An army that is running cannot be removed. */
  "army-running": error<{ session: string }>("conflict"),
  /** There is no army with this name. */
  "no-army": error<{ session: string }>("noArmy"),
  /** The file in which an army keeps its folder, agent program and end cannot be understood. */
  "army-file": error<{ path: string; problem: ArmyFileProblem }>("precondition"),
  /** The army with that name was cut off, and the person has not said whether to bring it back. */
  "army-crashed": error<{ session: string; folder: string }>("conflict"),
  /** The army to bring back worked in another folder, which still exists. */
  "army-worked-elsewhere": error<{ session: string; folder: string }>("conflict"),
  /** An army cannot be brought back with another agent program, which could not use its conversations. */
  "army-agent": error<{ session: string; was: string; asked: string }>("conflict"),
  /** The army has other roles than this ovld. */
  "army-roles": error<{ session: string; roles: string[] }>("conflict"),
  /** There is nothing to bring back. */
  "nothing-to-resume": error<{ session: string; folder: string }>("noArmy"),
  /** Both flags were given. */
  "resume-or-fresh": error("usage"),
  /** The command cannot be undone, the person cannot be asked, and they have not said `--yes`. */
  "needs-yes": error<{ command: string }>("usage"),
  /** A campaign that goes on cannot have a new wish. */
  "wish-and-resume": error("usage"),
  /** No archived army has that name. */
  "no-archive": error<{ name: string }>("noArmy"),
  /** The folder of an archived army may not be opened, or has no store in it. */
  "archive-unreadable": error<{ name: string; path: string }>("precondition"),
  /** A message without a word in it. */
  "empty-message": error<{ role: string }>("usage"),
  /** The journal has no message with this id. */
  "no-such-message": error<{ id: string }>("failed"),
  /** Several messages have an id that begins like this. */
  "message-ambiguous": error<{ id: string; count: number; orMore: boolean; candidates: string[] }>("failed"),
  /** There is no note with this name; `meant` is empty if no name is close. */
  "no-such-note": error<{ name: string; folder: string; meant: string }>("failed"),
  /** The text is not a valid time. */
  "invalid-time": error<{ text: string }>("usage"),
  /** The configuration file is not valid TOML. */
  "config-syntax": error<{ path: string; line: number; reason: string }>("precondition"),
  /** The setting does not exist; `meant` is empty if no name is close. */
  "config-key": error<{ path: string; line: number; key: string; known: string[]; meant: string }>(
    "precondition",
  ),
  /** The setting has an invalid value. */
  "config-value": error<{
    path: string;
    line: number;
    key: string;
    expected: Expectation;
    choices: string[];
  }>("precondition"),
  /** The current folder has been removed. */
  "cwd-gone": error("precondition"),
  /** The role prompt cannot be given to an agent. */
  "ritual-wrong": error<{ path: string; problem: RitualProblem }>("precondition"),
  /** The folder given for the role prompts does not exist or is not a folder. */
  "rituals-missing": error<{ path: string }>("precondition"),
  /** The word is not a role. */
  "no-such-role": error<{ word: string }>("usage"),
  /** An answer was given without saying to whom. */
  "answer-whom": error("usage"),
  /** The role does not ask anything that can be answered from here, or no longer that. */
  "no-request": error<{ role: string }>("failed"),
  /** The role asks several things at once. */
  "several-requests": error<{ role: string; ids: string[] }>("usage"),
  /** Something would be allowed without saying which request is meant, and nobody is there to be shown it. */
  "request-unnamed": error<{ role: string }>("usage"),
  /** The person's answer does not fit what the agent asks. */
  "answer-unfit": error<{ role: string; problem: VerdictProblem }>("usage"),
  /** A command on one of the machines of a practice campaign failed. */
  "machine-failed": error<{ machine: string; command: string; said: string }>("failed"),
  /** A tool was called with wrong arguments. */
  "wrong-arguments": error<{ tool: string; problems: string[] }>("failed"),
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
  | "a table"
  | "a number in this range"
  | "limits"
  | "true or false"
  | "claude or practice"
  | "auto or pane"
  | "a nats-server"
  | "one of these";

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

export type RitualProblem =
  "missing" | "unreadable" | "empty" | "too-large" | "not-utf8" | "control-characters" | "a-command";
