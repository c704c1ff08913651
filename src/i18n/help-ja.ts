/** The texts of `ovld --help` in Japanese. */
import { CLI_TEXTS } from "./ja/cli.ts";
import { HELP_TEXTS } from "./ja/help.ts";
import type { HelpPageTexts } from "./texts.ts";

export const TEXTS: HelpPageTexts = { cli: CLI_TEXTS, help: HELP_TEXTS };
