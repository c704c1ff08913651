/** `ovld --help`: examples first, then every command in its group. */
import { CLI_TEXTS } from "../../../i18n/cli-texts.ts";
import { HELP_TEXTS } from "../../../i18n/help-texts.ts";
import type { Language } from "../../../army/words.ts";
import { padToWidth, textWidth } from "../../../terminal/text-width.ts";
import { COMMAND_GROUPS } from "./command-groups.ts";

type Line = readonly [string, string];

export function helpText(language: Language): string {
  const { briefs } = CLI_TEXTS[language];
  const texts = HELP_TEXTS[language];
  const groups = (["army", "person", "setUp", "inside"] as const).map((group) =>
    section(
      texts.groups[group],
      COMMAND_GROUPS[group].map((name): Line => [`ovld ${name}`, briefs[name]]),
    ),
  );
  return [
    `${briefs.army}\n`,
    section(texts.examples, texts.exampleLines),
    ...groups,
    section(texts.everywhere, texts.flags),
    `${texts.more}\n`,
  ].join("\n");
}

function section(heading: string, lines: readonly Line[]): string {
  const width = Math.max(...lines.map(([name]) => textWidth(name)));
  return `${heading}\n${lines.map(([name, brief]) => `  ${padToWidth(name, width)}  ${brief}\n`).join("")}`;
}
