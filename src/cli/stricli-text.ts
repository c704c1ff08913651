/** Our sentences in the form that the command-line library expects. */
import type { Texts } from "../i18n/texts.ts";
import {
  AliasNotFoundError,
  ArgumentParseError,
  FlagNotFoundError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
  type ApplicationText,
} from "@stricli/core";
import { cleanLine } from "../system/clean-text.ts";
import { closestWord } from "../system/text.ts";
import { WrongChoice } from "./syntax.ts";

const COMMON_FLAGS = ["--help", "--version"];

/** With `debug`, a bug in ovld is shown with its stack. */
export function stricliText(texts: Texts["cli"], debug: boolean): ApplicationText {
  const fail = (error: unknown): string =>
    debug && error instanceof Error ? (error.stack ?? error.message) : texts.failed(reasonOf(error));
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input, corrections }) =>
      input.startsWith("-")
        ? adviseOnFlag(texts, input, [])
        : advise(texts, texts.unknownCommand(cleanLine(input)), corrections),
    exceptionWhileParsingArguments: (error) => adviseOn(texts, error),
    exceptionWhileLoadingCommandFunction: fail,
    exceptionWhileLoadingCommandContext: fail,
    exceptionWhileRunningCommand: fail,
  };
}

function adviseOn(texts: Texts["cli"], error: unknown): string {
  if (error instanceof FlagNotFoundError) {
    const corrections = error.corrections.map((flag) => `--${flag}`);
    return adviseOnFlag(texts, `--${error.input}`, corrections);
  }
  if (error instanceof AliasNotFoundError) {
    return adviseOnFlag(texts, `-${error.input}`, []);
  }
  if (error instanceof UnexpectedPositionalError) {
    return advise(texts, texts.surplusArgument(cleanLine(error.input)), []);
  }
  if (error instanceof UnsatisfiedPositionalError) {
    return advise(texts, texts.missingArgument(error.placeholder), []);
  }
  if (error instanceof UnsatisfiedFlagError) {
    return advise(texts, texts.missingValue(`--${error.externalFlagName}`), []);
  }
  if (error instanceof UnexpectedFlagError) {
    return advise(texts, texts.surplusArgument(`--${error.externalFlagName}`), []);
  }
  if (error instanceof ArgumentParseError && error.exception instanceof WrongChoice) {
    return adviseOnChoice(texts, error.exception, error.externalFlagNameOrPlaceholder);
  }
  return advise(texts, texts.badArguments(reasonOf(error)), []);
}

function adviseOnChoice(texts: Texts["cli"], { input, choices }: WrongChoice, place: string): string {
  const meant = closestWord(input, choices);
  const problem = texts.wrongChoice(cleanLine(input), place);
  return `${problem} ${meant === undefined ? texts.oneOf(choices) : texts.didYouMean([meant])}`;
}

/** The library suggests a command's own flags; the flags that all commands share are suggested here. */
function adviseOnFlag(texts: Texts["cli"], input: string, corrections: readonly string[]): string {
  const flag = cleanLine(input);
  const alike = COMMON_FLAGS.filter((common) => flag.startsWith(common.slice(0, "--x".length)));
  return advise(texts, texts.unknownFlag(flag), corrections.length > 0 ? corrections : alike);
}

function advise(texts: Texts["cli"], problem: string, corrections: readonly string[]): string {
  return [problem, corrections.length > 0 ? texts.didYouMean(corrections) : texts.seeHelp].join(" ");
}

function reasonOf(error: unknown): string {
  return cleanLine(error instanceof Error ? error.message : String(error));
}
