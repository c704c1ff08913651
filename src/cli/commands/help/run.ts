/** The help of ovld and of each command: one screen (`-h`), or everything (`--help`, docs/commands.md, the man page). */
import type { Application, CommandContext as StricliContext } from "@stricli/core";
import type { Texts } from "../../../i18n/texts.ts";
import { OTHER_NAMES } from "../../read-arguments.ts";
import { padToWidth, textWidth, wrapWords } from "../../../terminal/text-width.ts";

/** A name, and what is said of it. */
export type Row = readonly [string, string];

interface Layout {
  columns: number;
  isShort: boolean;
}

/** The commands that a person may use, which have texts: their syntax, and what is said of them. */
export function describeCommands(
  { root }: Pick<Application<StricliContext>, "root">,
  texts: Readonly<Record<string, Texts["commands"][keyof Texts["commands"]]>>,
) {
  const entries = "getAllEntries" in root ? root.getAllEntries() : [];
  return entries.flatMap(({ name: { original: name }, target }) => {
    const said = texts[name];
    if (said === undefined || !("parameters" in target)) return [];
    const { flags = {}, aliases = {}, positional } = target.parameters;
    const places = positional?.kind === "array" ? [positional.parameter] : (positional?.parameters ?? []);
    const letters = new Map(Object.entries(aliases).map(([letter, flag]) => [flag, `-${letter}, `]));
    const taken = places.map((each): Row => [
      ("optional" in each ? `[${each.placeholder}]` : each.placeholder) ?? "",
      each.brief,
    ]);
    const own = Object.entries(flags).flatMap(([flag, { brief, hidden, ...kind }]): Row[] => {
      const long = flag.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
      const value = "placeholder" in kind ? ` ${kind.placeholder}` : "";
      return hidden ? [] : [[`${letters.get(flag) ?? "    "}--${long}${value}`, brief]];
    });
    const call = [...taken.map(([place]) => place), ...(own.length > 0 ? [FLAGS] : [])].join(" ");
    return {
      ...said,
      name,
      target,
      brief: target.brief,
      usage: USAGES.get(name) ?? call,
      places: taken.filter(([, brief]) => brief !== ""),
      flags: own,
      examples: said.examples.map(({ input, brief }): Row => [`ovld ${name} ${input}`.trimEnd(), brief]),
    };
  });
}

/** Stands for a command's flags in how it is called. */
const FLAGS = "[flags]";
/** How commands are called whose places do not say it. */
const USAGES = new Map<string, string>([
  ["rituals", "[edit ROLE | diff [ROLE…] | give [ROLE…]] [flags]"],
  ["send", "ROLE [TEXT|-] [flags]"],
  ["reply", "[ID] TEXT|- [flags]"],
  ["restart", "ROLE… | --continue [ROLE…] [flags]"],
  ["armies", "[rm NAME…] [flags]"],
  [
    "hub",
    "start|status|stop|doctor|service|requirements [flags]\ninvite ROLE… | join FILE | revoke MACHINE [flags]",
  ],
  [
    "task",
    "[list | show ID] [flags]\nadd TITLE [GOAL] [flags]\ntake [ID] | done | return ID TEXT | drop ID [flags]",
  ],
  ["budget", "[go | raise TOKENS [ROLE]] [flags]"],
  ["notes", "[show NAME] [flags]"],
  ["completion", "bash|zsh|fish|nushell"],
]);

/** What fits on the screen of a terminal of the usual size. */
const SCREEN_LINES = 24;

/** In parts, between which there is an empty line. The short help has as many examples as one screen has room for. */
export function formatCommand(
  command: ReturnType<typeof describeCommands>[number],
  texts: Pick<Texts, "cli" | "help">,
  layout: Layout,
): string[] {
  const { columns, isShort } = layout;
  const { name, usage, brief, full, places, flags, examples } = command;
  const { headings, more } = texts.cli;
  const calls = usage
    .replaceAll(FLAGS, texts.help.anyFlags)
    .split("\n")
    .map((each): Row => [`ovld ${name} ${each}`.trimEnd(), ""]);
  const parts = [
    section(headings.usage, calls, columns),
    wrap(isShort ? brief : full, columns),
    isShort ? "" : section(headings.arguments, places, columns),
    section(headings.flags, flags, columns),
    section(texts.help.examples, examples, columns),
    isShort ? wrap(more(name), columns) : "",
  ].filter((part) => part !== "");
  const isTooLong = isShort && examples.length > 0 && parts.join("\n\n").split("\n").length > SCREEN_LINES;
  return isTooLong ? formatCommand({ ...command, examples: examples.slice(0, -1) }, texts, layout) : parts;
}

/** Of `ovld` itself, in parts, too. The short help only names the commands. */
export function formatHelp(
  { cli: { briefs, headings }, help: texts }: Pick<Texts, "cli" | "help">,
  { columns, isShort }: Layout,
  guides: readonly Row[] = [],
): string[] {
  const groups = (["army", "person", "setUp", "inside"] as const).map((group) => {
    const [heading, names] = [texts.groups[group], COMMAND_GROUPS[group]];
    const rows = names.map((name): Row => [`ovld ${name}`, briefs[name]]);
    return { row: [heading, names.join(", ")] as const, whole: section(heading, rows, columns) };
  });
  const names = groups.map(({ row }) => row);
  const otherNames = OTHER_NAMES.flatMap(({ names: others, words, isOld }): Row[] =>
    isOld ? [] : [[`ovld ${others.join(", ")}`, `ovld ${words}`]],
  );
  return [
    briefs.army,
    section(texts.examples, texts.exampleLines, columns),
    ...(isShort ? [section(headings.commands, names, columns)] : groups.map(({ whole }) => whole)),
    isShort ? "" : section(texts.otherNames, otherNames, columns),
    section(texts.everywhere, texts.flags, columns),
    section(texts.guides.heading, guides, columns),
    wrap(texts.more, columns),
  ].filter((part) => part !== "");
}

function wrap(text: string, columns: number): string {
  const lines = text.split("\n").flatMap((line) => wrapWords(line, columns));
  return lines.join("\n");
}

/** In two columns. What is said of a name that is longer than half a line stands below it. */
function section(heading: string, rows: readonly Row[], columns: number): string {
  const widths = rows.map(([name]) => textWidth(name)).filter((each) => each < columns / 2);
  const width = Math.max(0, ...widths);
  const lines = rows.flatMap(([name, text]) => {
    const isLong = textWidth(name) > width;
    const indent = " ".repeat(isLong ? 4 : width + 4);
    const said = wrapWords(text, columns - indent.length).map((line) => indent + line);
    if (!isLong) return [padToWidth(`  ${name}`, indent.length) + said.join("\n").slice(indent.length)];
    return [
      ...wrapWords(name, columns - 4).map((line, index) => (index === 0 ? "  " : "    ") + line),
      ...said,
    ];
  });
  const written = lines.map((line) => line.trimEnd()).filter((line) => line !== "");
  return rows.length === 0 ? "" : [heading, ...written].join("\n");
}

/** The place of each command in the help, in the order a person needs them. */
const COMMAND_GROUPS = {
  army: ["practice", "summon", "attach", "armies", "rituals", "hub", "unsummon"],
  person: [
    "status",
    "answer",
    "desk",
    "send",
    "inbox",
    "reply",
    "log",
    "task",
    "land",
    "budget",
    "restart",
    "notes",
  ],
  setUp: ["init", "doctor", "update", "completion"],
  inside: ["relay"],
} as const;
