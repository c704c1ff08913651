/**
 * What is true of the arguments of every command: `--lang` may come before or after the command, with the same meaning,
 * and commands and `--army` have other names.
 */
import { LANGUAGES, type Language } from "../army/words.ts";

const FLAG = "--lang";
const ALIAS = /^--session(?==|$)/;

interface OtherName {
  /** Commands, or a command with its first argument or a flag. */
  names: readonly [string, ...string[]];
  /** What is run instead. */
  words: string;
  /** It works in this version only, and the person is told the new name. */
  isOld?: true;
}

export const OTHER_NAMES: readonly OtherName[] = [
  { names: ["up", "start"], words: "summon" },
  { names: ["down", "stop"], words: "unsummon" },
  { names: ["demo"], words: "practice" },
  { names: ["watch"], words: "status --watch" },
  { names: ["ls", "list", "ps"], words: "armies" },
  { names: ["rm"], words: "armies rm" },
  { names: ["join"], words: "hub join" },
  { names: ["status --all"], words: "armies", isOld: true },
  { names: ["armies remove"], words: "armies rm", isOld: true },
  { names: ["continue"], words: "restart --continue", isOld: true },
  { names: ["insight"], words: "notes", isOld: true },
  { names: ["ritual"], words: "rituals give", isOld: true },
];

export interface Arguments {
  rest: string[];
  language: Language | undefined;
  /** The word given instead of a language; undefined if nothing is wrong. */
  wrong: string | undefined;
  /** The name by which the command was called, if the person is to be told a newer one. */
  oldName?: OtherName | undefined;
}

export function readArguments(args: readonly string[]): Arguments {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const at = args.findIndex((arg, index) => index < end && (arg === FLAG || arg.startsWith(`${FLAG}=`)));
  if (at === -1) return { ...replaceNames(args), language: undefined, wrong: undefined };
  const joined = args[at] !== FLAG;
  const word = joined ? args[at]?.slice(`${FLAG}=`.length) : args[at + 1];
  const language = LANGUAGES.find((each) => each === word);
  const rest = [...args.slice(0, at), ...args.slice(at + (joined ? 1 : 2))];
  return { ...replaceNames(rest), language, wrong: language === undefined ? (word ?? "") : undefined };
}

export function replaceNames(given: readonly string[]): Pick<Arguments, "rest" | "oldName"> {
  const end = given.includes("--") ? given.indexOf("--") : given.length;
  const rest = given.map((word, index) => (index < end ? word.replace(ALIAS, "--army") : word));
  // Help about a command knows its other names, too.
  const at = rest[0] === "help" ? 1 : 0;
  /** Where the second word of a name is: only flags may stand in front of it. */
  const find = (second: string): number =>
    rest.findIndex((word, index) => index > at && (word === second || !word.startsWith("-")));
  for (const other of OTHER_NAMES) {
    for (const [command, second] of other.names.map((name) => name.split(" "))) {
      if (rest[at] !== command || (second !== undefined && rest[find(second)] !== second)) continue;
      if (second !== undefined) rest.splice(find(second), 1);
      rest.splice(at, 1, ...other.words.split(" "));
      return { rest, oldName: other.isOld && other };
    }
  }
  return { rest };
}
