/** The world as a command sees it: everything outside the program, handed in, so that a command takes nothing itself. */
import type { Environment } from "../config/environment.ts";
import { describeError } from "../i18n/error-texts.ts";
import type { Language } from "../i18n/language.ts";
import { SESSION_TEXTS, type SessionTexts } from "../i18n/session-texts.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { EXIT } from "./exit-code.ts";

export interface Machine {
  env: Environment;
  cwd: string;
  language: Language;
  /** What `--lang` said. */
  askedLanguage: Language | undefined;
  /** Both ends of a conversation with a person: input and output are a terminal. */
  hasTerminal: boolean;
  /** What is printed goes to a terminal. */
  hasScreen: boolean;
  ovld: { node: string; file: string };
  /** False when nobody reads any more. */
  print: (stream: "stdout" | "stderr", text: string) => boolean;
  endWith: (exitCode: number) => void;
  /** Aborted, with the signal as its reason, when we are asked to end. */
  stop: AbortSignal;
}

export function textsOf({ language }: Machine): SessionTexts {
  return SESSION_TEXTS[language];
}

export function sayLine({ print }: Machine, line: string): void {
  print("stdout", `${line}\n`);
}

/** Tells every problem and returns the exit code of the first. */
export function tellProblems(machine: Machine, reports: ErrorReport[]): number {
  for (const report of reports) machine.print("stderr", `ovld: ${describeError(report, machine.language)}\n`);
  return exitCodeOf(reports[0]);
}

/** Runs a command and sets the exit code; what it throws on purpose becomes a sentence and a code. */
export async function runCommand(machine: Machine, command: () => Promise<number>): Promise<void> {
  machine.endWith(await codeOf(machine, command));
}

async function codeOf(machine: Machine, command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (machine.stop.aborted) return signalCode(machine.stop);
    if (error instanceof OvldError) return tellProblems(machine, [error.report]);
    throw error;
  }
}

const SIGNAL_CODES: Record<string, number> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export function signalCode({ reason }: AbortSignal): number {
  return SIGNAL_CODES[String(reason)] ?? EXIT.failed;
}

/** Problems that stand before the work, and are for the person to remove. */
const PRECONDITIONS = new Set<ErrorReport["code"] | undefined>([
  "env-missing",
  "env-wrong",
  "zellij-missing",
  "zellij-too-old",
  "agent-missing",
  "no-terminal",
  "session-name-wrong",
  "session-name-too-long",
  "not-writable",
  "store-foreign",
  "store-newer",
  "config-syntax",
  "config-key",
  "config-value",
]);

function exitCodeOf(report: ErrorReport | undefined): number {
  if (report?.code === "no-army") return EXIT.noArmy;
  if (report?.code === "empty-message" || report?.code === "no-moment") return EXIT.usage;
  if (report?.code === "session-live" || report?.code === "not-an-army") return EXIT.conflict;
  return PRECONDITIONS.has(report?.code) ? EXIT.precondition : EXIT.failed;
}
