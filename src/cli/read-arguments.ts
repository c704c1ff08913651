/**
 * What is true of the arguments of every command: `--lang` may come before or after the command, with the same meaning,
 * and `--session` is another word for `--army`.
 */
import { LANGUAGES, type Language } from "../army/words.ts";

const FLAG = "--lang";
const ALIAS = /^--session(?==|$)/;

export interface Arguments {
  rest: string[];
  language: Language | undefined;
  /** The word given instead of a language; undefined if nothing is wrong. */
  wrong: string | undefined;
}

export function readArguments(words: readonly string[]): Arguments {
  const args = replaceAliases(words);
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const at = args.findIndex((arg, index) => index < end && (arg === FLAG || arg.startsWith(`${FLAG}=`)));
  if (at === -1) return { rest: args, language: undefined, wrong: undefined };
  const joined = args[at] !== FLAG;
  const word = joined ? args[at]?.slice(`${FLAG}=`.length) : args[at + 1];
  const language = LANGUAGES.find((each) => each === word);
  const rest = [...args.slice(0, at), ...args.slice(at + (joined ? 1 : 2))];
  return { rest, language, wrong: language === undefined ? (word ?? "") : undefined };
}

export function replaceAliases(words: readonly string[]): string[] {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return words.map((word, index) => (index < end ? word.replace(ALIAS, "--army") : word));
}
