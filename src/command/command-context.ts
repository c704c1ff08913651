/** Everything outside the program, passed in to a command, so that a command does not access it directly. */
import type { Environment } from "../system/run-program.ts";
import { formatError } from "../i18n/sentences.ts";
import type { Language } from "../army/words.ts";
import type { LoadTexts, Texts } from "../i18n/texts.ts";
import type { Machines } from "../mail/other-machines.ts";
import type * as ProvideZellij from "../zellij/provide-zellij.ts";
import { ERRORS, EXIT } from "../army/errors.ts";
import { hasErrorCode } from "../system/file-error.ts";
import { jsonLine } from "../system/json.ts";
import { OvldError, type ErrorReport } from "../system/ovld-error.ts";
import { createPaint, wantsColour, type Paint } from "../terminal/paint.ts";
import { terminalColumns } from "../terminal/terminal.ts";
import { ask } from "../terminal/ask.ts";
import { padToWidth, textWidth } from "../terminal/text-width.ts";

export interface CommandContext {
  env: Environment;
  cwd: string;
  /** The sentences in the person's language, and a way to load another language. */
  texts: Texts;
  loadTexts: LoadTexts;
  /** Loads what is needed only by an army on several machines. */
  loadMachines: () => Machines;
  /** Loads what is needed only where there is no Zellij. */
  loadProvider: () => typeof ProvideZellij;
  /** The value of `--lang`. */
  askedLanguage: Language | undefined;
  /** Whether answers, and therefore errors, are printed as JSON. */
  json: boolean;
  /** Both input and output are a terminal, so a person can be asked. */
  hasTerminal: boolean;
  /** The output is a terminal. */
  hasScreen: boolean;
  ovld: { node: string; file: string };
  /** False if there is no reader any more. */
  print: (stream: "stdout" | "stderr", text: string) => boolean;
  /** The time of day, in milliseconds since 1970. */
  now: () => number;
  endWith: (exitCode: number) => void;
  /** Aborted, with the signal as its reason, when the process is asked to end. */
  stop: AbortSignal;
}

/** What text for a person depends on: their language, colours where they are wanted, and the width of a terminal. */
export interface Look {
  texts: Texts;
  paint: Paint;
  /** Undefined if lines are not fitted to a width. */
  columns: number | undefined;
  now: number;
}

export function lookOf({ env, texts, hasScreen, now }: CommandContext): Look {
  const paint = createPaint(wantsColour(env, hasScreen));
  return { texts, paint, columns: hasScreen ? terminalColumns() : undefined, now: now() };
}

export function sayLine(context: CommandContext, line: string): void {
  say(context, `${line}\n`);
}

const VERDICT_STYLES = { good: "good", note: "warning", wrong: "bad" } as const;

/** One finding of a doctor, with the command that fixes it. */
export function sayVerdict(
  context: CommandContext,
  verdict: keyof typeof VERDICT_STYLES,
  sentence: string,
  fix?: string,
): void {
  const { verdicts } = context.texts.doctor;
  const width = Math.max(...Object.values(verdicts).map(textWidth));
  const word = lookOf(context).paint(VERDICT_STYLES[verdict], padToWidth(verdicts[verdict], width));
  sayLine(context, `${word}  ${sentence}${fix === undefined ? "" : `  →  ${fix}`}`);
}

export function sayJson(context: CommandContext, answer: object, indent?: number): void {
  say(context, jsonLine(answer, indent));
}

/** The answer of a command that has done what it was asked: one document for programs, lines for a person. */
export function sayAnswer(context: CommandContext, answer: object, lines: readonly string[]): number {
  if (context.json) sayJson(context, answer);
  else for (const line of lines) sayLine(context, line);
  return EXIT.done;
}

function say({ print }: CommandContext, text: string): void {
  try {
    print("stdout", text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OvldError({ code: "output-failed", facts: { reason } }, error);
  }
}

/** Prints every problem and returns the exit code of the first. */
export function printProblems(context: CommandContext, reports: ErrorReport[]): number {
  for (const report of reports) {
    const message = formatError(report, context.texts);
    context.print("stderr", context.json ? formatReport({ ...report, message }) : `ovld: ${message}\n`);
  }
  return exitCodeOf(reports[0]?.code);
}

/** Refuses arguments that the command-line library cannot judge, as it does those that it can; returns the exit code. */
export function refuse(context: CommandContext, sentence: string, advice?: string): number {
  const message = `${sentence} ${advice ?? context.texts.cli.seeHelp}`;
  context.print("stderr", context.json ? formatReport({ code: "usage", message }) : `${message}\n`);
  return EXIT.usage;
}

/** One object per line, for programs. */
export function formatReport(report: { code: string; message: string; facts?: object }): string {
  const { code, message, facts = {} } = report;
  return jsonLine({ error: { code, message, facts } });
}

/** Runs a command and sets the exit code; expected errors become a sentence and a code. */
export async function runCommand(context: CommandContext, command: () => Promise<number>): Promise<void> {
  context.endWith(await command().catch((error: unknown) => explain(context, error)));
}

function explain(context: CommandContext, error: unknown): number {
  if (context.stop.aborted) return signalCode(context.stop);
  if (context.env["OVLD_DEBUG"] === "1") context.print("stderr", `${inspect(error)}\n`);
  if (error instanceof OvldError) return printProblems(context, [error.report]);
  if (isCwdGone(error)) return printProblems(context, [{ code: "cwd-gone", facts: {} }]);
  throw error;
}

function isCwdGone(error: unknown): boolean {
  return hasErrorCode(error, "ENOENT") && error instanceof Error && error.message.includes("uv_cwd");
}

/** With its stack and its cause. */
function inspect(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\nbecause: ${inspect(cause)}`;
}

const SIGNAL_CODES: Record<string, number> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export function signalCode({ reason }: AbortSignal): number {
  return SIGNAL_CODES[String(reason)] ?? EXIT.failed;
}

const EXIT_CODES = new Map(Object.entries(ERRORS).map(([code, { exit }]) => [code, exit]));

export function exitCodeOf(code: string | undefined): number {
  return EXIT_CODES.get(code ?? "") ?? EXIT.failed;
}

/** Asks a yes-or-no question; anything but yes, including the end of input, is a no. */
export async function confirm(context: CommandContext, question: string): Promise<boolean> {
  return context.texts.session.yes.test((await ask(question, context.stop)) ?? "");
}

/**
 * Whether the person has to be asked before `command` does what cannot be undone: not if they have said `--yes`. Throws if
 * they cannot be asked.
 */
export function mustConfirm(
  { hasTerminal, json }: CommandContext,
  { yes }: { yes: boolean },
  command: string,
): boolean {
  if (!yes && (!hasTerminal || json)) throw new OvldError({ code: "needs-yes", facts: { command } });
  return !yes;
}
