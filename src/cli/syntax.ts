/** What the syntax of a command is made of: its help, its kinds of flags and arguments, and the way to its program. */
import {
  buildCommand,
  AliasNotFoundError,
  ArgumentParseError,
  FlagNotFoundError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
  type BaseArgs,
  type Command,
  type CommandContext as StricliContext,
  type TypedCommandParameters,
  type ApplicationText,
} from "@stricli/core";
import { ROLES, type Role } from "../army/roles.ts";
import { runCommand, type CommandContext } from "../command/command-context.ts";
import type { Texts } from "../i18n/texts.ts";
import type * as Complete from "./commands/complete/run.ts";
import { cleanLine } from "../system/clean-text.ts";
import { closestWord } from "../system/text.ts";

/**
 * How one built file of ovld loads another, so that a command loads only what it needs. A name is that of a folder in
 * `commands/`, or of a file that `scripts/build.mjs` names; the caller knows what that file exports.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a list of all programs would have to name each command once more
export type LoadProgram = <Program>(name: string) => Program;

export type Syntax = ReturnType<typeof createSyntax>;

/** Takes what the person wrote, and returns the exit code. */
type Program<Flags, Args extends BaseArgs> = (
  context: CommandContext,
  flags: Flags,
  ...args: Args
) => Promise<number>;

export function createSyntax({ cli }: Texts, context: () => CommandContext, load: LoadProgram) {
  const { briefs, flags, places } = cli;
  return {
    briefs,
    flags,
    places,
    context,
    load,
    /** The flags and arguments have the types that the program takes; it is loaded when the command is run. */
    command: <Flags extends Readonly<Partial<Record<keyof Flags, unknown>>>, Args extends BaseArgs>(
      name: keyof Texts["commands"] | "practiceAgent",
      program: () => Program<Flags, Args>,
      parameters: NoInfer<TypedCommandParameters<Flags, Args, StricliContext>>,
    ) =>
      withShortFlags(
        buildCommand<Flags, Args>({
          docs: { brief: briefs[name] },
          parameters,
          func(given, ...args) {
            const here = context();
            here.json = "json" in given && given.json === true;
            return runCommand(here, async () => program()(here, given, ...args));
          },
        }),
      ),
    /** Which army is meant; a shell offers the running ones, or all. */
    armyFlag: (which: Complete.Armies = "live") => {
      const names = () => load<typeof Complete>("complete").armyNames(context(), which);
      return { ...wordFlag("NAME", flags.army), proposeCompletions: offering(names) };
    },
    rolePlace: { placeholder: "ROLE", brief: places.role(ROLES.join(", ")), ...choicePlace<Role>(ROLES) },
  };
}

/** The same letter means the same flag in every command that has it. */
const SHORT_FLAGS = { s: "army", f: "follow", d: "detached", y: "yes", n: "dryRun", j: "json" };

function withShortFlags(command: Command<StricliContext>): Command<StricliContext> {
  const { flags = {}, aliases } = command.parameters;
  const short = Object.entries(SHORT_FLAGS).filter(([, name]) => name in flags);
  return {
    ...command,
    parameters: { ...command.parameters, aliases: { ...Object.fromEntries(short), ...aliases } },
  };
}

/** On or off; off by default. */
export function switchFlag(brief: string) {
  return { kind: "boolean", default: false, withNegated: false, brief } as const;
}

/** An optional flag that takes a word. */
export function wordFlag(placeholder: string, brief: string) {
  return { kind: "parsed", parse: String, optional: true, placeholder, brief } as const;
}

/** An argument that may be any word. */
export function wordPlace(placeholder: string, brief: string) {
  return { placeholder, brief, parse: String };
}

/** Arguments that have a place each. */
export function inOrder<Places extends unknown[]>(...parameters: Places) {
  return { kind: "tuple", parameters } as const;
}

export function optional<Place extends object>(place: Place) {
  return { ...place, optional: true } as const;
}

/** What a command of many actions takes: one of them, and what it needs. */
export function actions(words: () => readonly string[]) {
  return {
    kind: "array",
    parameter: { ...wordPlace("ACTION", ""), proposeCompletions: offering(words) },
  } as const;
}

/** A word that must be one of a few: how it is parsed, and what a shell offers. */
export function choicePlace<const Choice extends string>(choices: readonly Choice[]) {
  const parse = (input: string): Choice => {
    const chosen = choices.find((choice) => choice === input);
    if (chosen === undefined) throw new WrongChoice(input, choices);
    return chosen;
  };
  return { parse, proposeCompletions: offering(() => choices) };
}

/** What a shell offers for the beginning of a word. */
export function offering(words: () => readonly string[]): (partial: string) => string[] {
  return (partial) => words().filter((word) => word.startsWith(partial));
}

/** Becomes a sentence when the arguments are refused. */
class WrongChoice extends Error {
  readonly input: string;
  readonly choices: readonly string[];

  constructor(input: string, choices: readonly string[]) {
    super(`${input} is none of ${choices.join(", ")}`);
    this.input = input;
    this.choices = choices;
  }
}

const COMMON_FLAGS = ["--help", "--version"];

/** Our sentences in the form that the command-line library expects. With `debug`, a bug in ovld is shown with its stack. */
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
  if (error instanceof AliasNotFoundError) return adviseOnFlag(texts, `-${error.input}`, []);
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
  const problem = texts.wrongChoice(cleanLine(input), place.replace(/^[a-z-]+$/, "--$&"));
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
