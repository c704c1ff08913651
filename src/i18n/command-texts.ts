/** What each command does, at length, and how it is used: for its own help and for docs/commands.md. */
import type { Language } from "../army/words.ts";
import { ENGLISH_COMMANDS } from "./english-commands.ts";
import { JAPANESE_COMMANDS } from "./japanese-commands.ts";

export interface CommandText {
  /** How it is written, after the command's name. */
  usage: string;
  examples: { input: string; brief: string }[];
  full: string;
}

export type DescribedCommand =
  | "summon"
  | "unsummon"
  | "ritual"
  | "practice"
  | "send"
  | "log"
  | "continue"
  | "status"
  | "insight"
  | "init"
  | "doctor"
  | "completion";

export type CommandTexts = Record<DescribedCommand, CommandText>;

export const COMMAND_TEXTS: Record<Language, CommandTexts> = { en: ENGLISH_COMMANDS, ja: JAPANESE_COMMANDS };
