/**
 * The one error type a person or a model is meant to read.
 *
 * It carries a code and the facts; the sentences for each code, in every language, are in i18n/error-texts.ts.
 * Any other error that reaches the surface is a fault of ours.
 */
interface ErrorFacts {
  /** A required environment variable is unset or empty. */
  "env-missing": { variable: string };
  /** An environment variable has a value that cannot be used. */
  "env-wrong": { variable: string; value: string; expected: Expectation };
  /** The relay folder existed when we began and is gone now. */
  "store-gone": { path: string };
  /** The store was made by a newer ovld. */
  "store-newer": { path: string; found: number; known: number };
  /** Something that the store did not make stands where it keeps its own, or its own cannot be read. */
  "store-foreign": { path: string };
  /** The relay folder is not empty, and nothing in it says that it is ours. */
  "folder-taken": { path: string };
  /** No space left on the disk, or the quota is used up. */
  "disk-full": { path: string };
  /** The file-size limit of the process is too small. */
  "file-size-limit": { path: string };
  /** The folder may not be written to. */
  "not-writable": { path: string };
  /** Any other refusal of the file system. */
  "file-trouble": { path: string; reason: string };
  /** A file that a program was told to use does not hold what it should. */
  "file-wrong": { path: string; reason: string };
  /** A file of the person's cannot be read, or not changed, as it is. */
  "file-unfit": { path: string; problem: FileProblem };
  /** A text is longer than the store takes. */
  "too-long": { field: string; limit: number; unit: "characters" | "bytes"; length: number };
  /** The recipient has too much unread mail. */
  "inbox-full": { role: string; limit: number };
  /** A message to its own sender. */
  "to-oneself": { role: string };
  /** No Zellij was found. */
  "zellij-missing": { oldest: string };
  /** The Zellij that was found is too old. */
  "zellij-too-old": { program: string; version: string; oldest: string };
  /** Zellij did not answer in time and was stopped. */
  "zellij-hangs": { command: string; seconds: number };
  /** The folder of Zellij's sockets, or something of ours in it, belongs to somebody else. */
  "sockets-foreign": { path: string; owner: number };
  /** One session does not answer; `pid` is its server's, where it could be found. */
  "session-silent": { session: string; seconds: number; pid: number | null };
  /** The army lives, but nothing leads to its session any more. */
  "output-failed": { reason: string };
  "session-elsewhere": { session: string; folder: string };
  "session-lost": { session: string };
  /** Zellij said no. */
  "zellij-refused": { command: string; said: string };
  /** The program that the panes are to run was not found. */
  "agent-missing": { program: string };
  /** There is no terminal to open a session on. */
  "no-terminal": { command: string };
  /** A session name that cannot be used. */
  "session-name-wrong": { name: string };
  /** A session name too long for the path of its socket. */
  "session-name-too-long": { name: string; limit: number };
  /** The session is there already, and there is no terminal to attach it to. */
  "session-live": { session: string };
  /** An army of the default name is up, but works in another folder than this one. */
  "army-elsewhere": { session: string; folder: string };
  /** A flag that only a summon that starts the agents can follow. */
  "flag-too-late": { session: string; flag: string };
  /** The name is another army's, or another session's. */
  "name-taken": { session: string };
  /** A session of that name is there, but it is none of ours. */
  "not-an-army": { session: string };
  /** An agent tried to end an army, which only the person may. */
  "agent-may-not-end": { path: string };
  /** There is no army of that name. */
  "no-army": { session: string };
  /** The file in which an army keeps its folder, agent program and end cannot be understood. */
  "army-file": { path: string; problem: ArmyFileProblem };
  /** A message without a word in it. */
  "empty-message": { role: string };
  /** No message of that id is in the journal. */
  "no-such-message": { id: string };
  /** Several messages begin with that id. */
  "message-ambiguous": { id: string; count: number; candidates: string[] };
  /** No note of that name is there; `meant` is empty where none is near. */
  "no-such-note": { name: string; folder: string; meant: string };
  /** A text that names no moment. */
  "no-moment": { text: string };
  /** The configuration file is no TOML. */
  "config-syntax": { path: string; line: number; reason: string };
  /** A setting that does not exist; `meant` is empty where none is near. */
  "config-key": { path: string; line: number; key: string; known: string[]; meant: string };
  /** A setting with a value that it cannot have. */
  "config-value": { path: string; line: number; key: string; expected: Expectation; choices: string[] };
  /** The folder this was run in has been removed. */
  "cwd-gone": Record<string, never>;
  /** A role prompt that cannot be handed to an agent. */
  "ritual-wrong": { path: string; problem: RitualProblem };
  /** The folder that was named for the role prompts is none. */
  "rituals-missing": { path: string };
  /** A word that should name a role does not. */
  "no-such-role": { word: string };
  /** A tool was called with arguments that do not fit. */
  "wrong-arguments": { tool: string; problems: string[] };
}

export type Expectation =
  | "a role"
  | "a session name"
  | "an absolute path"
  | "a folder"
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
  | "one of these";

export type FileProblem =
  | "not-a-file"
  | "too-large"
  | "not-utf8"
  | "not-understood"
  | "unreadable"
  | "a-link"
  | "dangling-link"
  | "busy";

/** Why nobody can say what an army's own file says. */
export type ArmyFileProblem = "damaged" | "newer";

export type RitualProblem =
  "missing" | "unreadable" | "empty" | "too-large" | "not-utf8" | "control-characters" | "a-command";

type ErrorCode = keyof ErrorFacts;

/** A code together with its own facts, so that a `switch` on the code knows which facts there are. */
export type ErrorReport = { [Code in ErrorCode]: { code: Code; facts: ErrorFacts[Code] } }[ErrorCode];

export class OvldError extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport, cause?: unknown) {
    super(`${report.code} ${JSON.stringify(report.facts)}`, { cause });
    this.name = "OvldError";
    this.report = report;
  }
}
