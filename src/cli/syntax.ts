/** What the syntax of a command is made of: its help, its kinds of flags and arguments, and the way to its program. */
import { ROLES, type Role } from "../army/roles.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { Texts } from "../i18n/texts.ts";
import type * as Complete from "./commands/complete/run.ts";

/**
 * How one built file of ovld loads another, so that a command loads only what it needs. A name is that of a folder in
 * `commands/`, or of a file that `scripts/build.mjs` names; the caller knows what that file exports.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a list of all programs would have to name each command once more
export type LoadProgram = <Program>(name: string) => Program;

export type Syntax = ReturnType<typeof createSyntax>;

export function createSyntax({ cli, commands }: Texts, context: () => CommandContext, load: LoadProgram) {
  const { briefs, flags, places } = cli;
  return {
    briefs,
    flags,
    places,
    context,
    load,
    /** A command's help, in the form that the command-line library expects. */
    docs: (name: keyof Texts["commands"]) => {
      const { usage, examples, full } = commands[name];
      return { brief: briefs[name], fullDescription: full, customUsage: [usage, ...examples] };
    },
    /** Which army is meant; a shell offers the running ones, or all. */
    armyFlag: (which: Complete.Armies = "live") => {
      const names = () => load<typeof Complete>("complete").armyNames(context(), which);
      return { ...wordFlag("NAME", flags.army), proposeCompletions: offering(names) };
    },
    rolePlace: { placeholder: "ROLE", brief: places.role(ROLES.join(", ")), ...choicePlace<Role>(ROLES) },
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

/** A word that must be one of a few: how it is parsed, and what a shell offers. */
export function choicePlace<Choice extends string>(choices: readonly Choice[]) {
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
export class WrongChoice extends Error {
  readonly input: string;
  readonly choices: readonly string[];

  constructor(input: string, choices: readonly string[]) {
    super(`${input} is none of ${choices.join(", ")}`);
    this.input = input;
    this.choices = choices;
  }
}
