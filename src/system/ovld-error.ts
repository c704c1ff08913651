/**
 * The only error type that is meant for people and models to read.
 *
 * It carries a code and facts; the sentences for each code are in i18n/en/errors.ts and i18n/ja/errors.ts. Any other
 * error that a person sees is a bug in ovld.
 */
import type { HubErrorFacts } from "./hub-error-facts.ts";

interface ErrorFacts extends HubErrorFacts {
  /** A required environment variable is unset or empty. */
  "env-missing": { variable: string };
  /** An environment variable has a value that cannot be used. */
  "env-wrong": { variable: string; value: string; expected: Expectation };
  /** The relay folder existed when this process started and is now gone. */
  "store-gone": { path: string };
  /** A newer ovld created the store. */
  "store-newer": { path: string; found: number; known: number };
  /** Something the store did not create is in place of one of its files, or one of its files cannot be read. */
  "store-foreign": { path: string };
  /** The relay folder is not empty, and nothing shows that it belongs to ovld. */
  "folder-taken": { path: string };
  /** No space left on the disk, or the quota is used up. */
  "disk-full": { path: string };
  /** The file-size limit of the process is too small. */
  "file-size-limit": { path: string };
  /** The folder may not be written to. */
  "not-writable": { path: string };
  /** Any other error of the file system. */
  "file-trouble": { path: string; reason: string };
  /** A file that a program was told to use has the wrong content. */
  "file-wrong": { path: string; reason: string };
  /** One of the person's files cannot be read or changed as it is. */
  "file-unfit": { path: string; problem: FileProblem };
  /** A text is longer than the store accepts. */
  "too-long": { field: string; limit: number; unit: "characters" | "bytes"; length: number };
  /** The recipient has too much unread mail. */
  "inbox-full": { role: string; limit: number };
  /** A message is addressed to its own sender. */
  "to-oneself": { role: string };
  /** No Zellij was found. */
  "zellij-missing": { oldest: string };
  /** The Zellij that was found is too old. */
  "zellij-too-old": { program: string; version: string; oldest: string };
  /** Zellij did not answer in time and was killed. */
  "zellij-hangs": { command: string; seconds: number };
  /** The folder of Zellij's sockets, or one of our files in it, belongs to another user. */
  "sockets-foreign": { path: string; owner: number };
  /** A session does not answer; `pid` is its server's, if known. */
  "session-silent": { session: string; seconds: number; pid: number | null };
  /** The desk cannot listen on the port that was asked for. */
  "port-taken": { port: number };
  /** The output could not be written. */
  "output-failed": { reason: string };
  /** The army is running, but its session uses another socket folder. */
  "session-elsewhere": { session: string; folder: string };
  /** The army is running, but its session can no longer be reached. */
  "session-lost": { session: string };
  /** Zellij reported an error. */
  "zellij-refused": { command: string; said: string };
  /** The program that the panes should run was not found. */
  "agent-missing": { program: string };
  /** There is no terminal to open a session on. */
  "no-terminal": { command: string };
  /** A session name that cannot be used. */
  "session-name-wrong": { name: string };
  /** A session name too long for the path of its socket. */
  "session-name-too-long": { name: string; limit: number };
  /** The session is already running, and there is no terminal to attach to it. */
  "session-live": { session: string };
  /** An army with the default name is running, but in another folder. */
  "army-elsewhere": { session: string; folder: string };
  /** The flag only works with a summon that starts the agents. */
  "flag-too-late": { session: string; flag: string };
  /** Another army or another session has this name. */
  "name-taken": { session: string };
  /** There is a session with this name, but it is not an army. */
  "not-an-army": { session: string };
  /** An agent tried to end an army, which only the person may do. */
  "agent-may-not-end": { path: string; command: string };
  /** An agent tried to answer for the person. */
  "agent-may-not-answer": { command: string };
  /** An army that is running cannot be removed. */
  "army-running": { session: string };
  /** There is no army with this name. */
  "no-army": { session: string };
  /** The file in which an army keeps its folder, agent program and end cannot be understood. */
  "army-file": { path: string; problem: ArmyFileProblem };
  /** The army with that name was cut off, and the person has not said whether to bring it back. */
  "army-crashed": { session: string; folder: string };
  /** The army to bring back worked in another folder, which still exists. */
  "army-worked-elsewhere": { session: string; folder: string };
  /** An army cannot be brought back with another agent program, which could not use its conversations. */
  "army-agent": { session: string; was: string; asked: string };
  /** The army has other roles than this ovld. */
  "army-roles": { session: string; roles: string[] };
  /** There is nothing to bring back. */
  "nothing-to-resume": { session: string; folder: string };
  /** Both flags were given. */
  "resume-or-fresh": Record<string, never>;
  /** The command cannot be undone, the person cannot be asked, and they have not said `--yes`. */
  "needs-yes": { command: string };
  /** A campaign that goes on cannot have a new wish. */
  "wish-and-resume": Record<string, never>;
  /** No archived army has that name. */
  "no-archive": { name: string };
  /** The folder of an archived army may not be opened, or has no store in it. */
  "archive-unreadable": { name: string; path: string };
  /** A message without a word in it. */
  "empty-message": { role: string };
  /** The journal has no message with this id. */
  "no-such-message": { id: string };
  /** Several messages have an id that begins like this. */
  "message-ambiguous": { id: string; count: number; orMore: boolean; candidates: string[] };
  /** There is no note with this name; `meant` is empty if no name is close. */
  "no-such-note": { name: string; folder: string; meant: string };
  /** The text is not a valid time. */
  "invalid-time": { text: string };
  /** The configuration file is not valid TOML. */
  "config-syntax": { path: string; line: number; reason: string };
  /** The setting does not exist; `meant` is empty if no name is close. */
  "config-key": { path: string; line: number; key: string; known: string[]; meant: string };
  /** The setting has an invalid value. */
  "config-value": { path: string; line: number; key: string; expected: Expectation; choices: string[] };
  /** The current folder has been removed. */
  "cwd-gone": Record<string, never>;
  /** The role prompt cannot be given to an agent. */
  "ritual-wrong": { path: string; problem: RitualProblem };
  /** The folder given for the role prompts does not exist or is not a folder. */
  "rituals-missing": { path: string };
  /** The word is not a role. */
  "no-such-role": { word: string };
  /** An answer was given without saying to whom. */
  "answer-whom": Record<string, never>;
  /** The role does not ask anything that can be answered from here, or no longer that. */
  "no-request": { role: string };
  /** The role asks several things at once. */
  "several-requests": { role: string; ids: string[] };
  /** Something would be allowed without saying which request is meant, and nobody is there to be shown it. */
  "request-unnamed": { role: string };
  /** The person's answer does not fit what the agent asks. */
  "answer-unfit": { role: string; problem: VerdictProblem };
  /** A command on one of the machines of a practice campaign failed. */
  "machine-failed": { machine: string; command: string; said: string };
  /** A tool was called with wrong arguments. */
  "wrong-arguments": { tool: string; problems: string[] };
}

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

export type FileProblem =
  | "not-a-file"
  | "too-large"
  | "not-utf8"
  | "not-understood"
  | "newer"
  | "unreadable"
  | "a-link"
  | "dangling-link"
  | "busy";

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

type ErrorCode = keyof ErrorFacts;

/** A code together with its facts, so that a `switch` on the code knows which facts there are. */
export type ErrorReport = { [Code in ErrorCode]: { code: Code; facts: ErrorFacts[Code] } }[ErrorCode];

/** The errors of an army over several machines, which have a file of texts of their own. */
export type HubErrorReport = Extract<ErrorReport, { code: `hub-${string}` }>;

export function isHubError(report: ErrorReport): report is HubErrorReport {
  return report.code.startsWith("hub-");
}

export class OvldError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport, cause?: unknown) {
    super(`${report.code} ${JSON.stringify(report.facts)}`, { cause });
    this.name = "OvldError";
    this.report = report;
  }
}
