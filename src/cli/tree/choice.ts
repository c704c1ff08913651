/** A word on the command line that must be one of a few. */

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

function choiceOf<Choice extends string>(choices: readonly Choice[]): (input: string) => Choice {
  return (input) => {
    const chosen = choices.find((choice) => choice === input);
    if (chosen === undefined) throw new WrongChoice(input, choices);
    return chosen;
  };
}

/** The same as a parameter of a command: how it is parsed, and what a shell offers. */
export function choicePlace<Choice extends string>(choices: readonly Choice[]) {
  const proposeCompletions = (partial: string): string[] =>
    choices.filter((choice) => choice.startsWith(partial));
  return { parse: choiceOf(choices), proposeCompletions };
}
