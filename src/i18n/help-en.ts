/** The texts of `ovld --help` in English. */
import { CLI_TEXTS } from "./en/cli.ts";
import { HELP_TEXTS } from "./en/help.ts";
import type { HelpPageTexts } from "./texts.ts";

export const TEXTS: HelpPageTexts = { cli: CLI_TEXTS, help: HELP_TEXTS };
