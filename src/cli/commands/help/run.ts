/** `ovld --help`: examples first, then every command in its group. */
import type { Texts } from "../../../i18n/texts.ts";
import { padToWidth, textWidth } from "../../../terminal/text-width.ts";

type Line = readonly [string, string];

export function helpText({ cli, help: texts }: Pick<Texts, "cli" | "help">): string {
  const { briefs } = cli;
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

/** The place of each command in the help, in the order a person needs them. */
const COMMAND_GROUPS = {
  army: ["practice", "summon", "armies", "ritual", "hub", "join", "unsummon"],
  person: ["status", "answer", "desk", "send", "log", "restart", "continue", "insight"],
  setUp: ["init", "doctor", "completion"],
  inside: ["relay"],
} as const;
