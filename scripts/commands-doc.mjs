// Writes the part of docs/commands.md that comes from the command tree, and the man page, which has the other parts of
// docs/commands.md, too; with --check it only says whether they are up to date.
import { createRequire } from "node:module";
import { writeBetween, writeGenerated, writtenAround } from "./write-generated.mjs";

const load = createRequire(import.meta.url);
const { buildApp, describeCommands, formatCommand } = load("../dist/app.cjs");
const TEXTS = load("../dist/texts-en.cjs");
const { version } = load("../package.json");
const commands = describeCommands(buildApp(TEXTS), TEXTS.commands);
const described = commands.map((command) => {
  const [usage, , ...lists] = formatCommand(command, TEXTS, { columns: 80, isShort: false });
  return `## ${command.name}\n\n${command.full}\n\n\`\`\`\n${[usage, ...lists].join("\n\n")}\n\`\`\``;
});
await writeBetween("docs/commands.md", described.join("\n\n"));
await writeGenerated("man/ovld.1", manPage(writtenAround("docs/commands.md")));

/** In the macros of man(7), and without a date, so that it is the same on every day. */
function manPage({ before, after }) {
  const [, introduction] = before.split("\n\n");
  const lines = [
    `.TH OVLD 1 "" "ovld ${version}" "User Commands"`,
    `.SH NAME\novld \\- ${roff(TEXTS.cli.briefs.army)}`,
    ".SH SYNOPSIS\n\\fBovld\\fR COMMAND [arguments] [flags]",
    `.SH DESCRIPTION\n${roff(introduction)}`,
    rows(TEXTS.help.exampleLines),
    ".SH COMMANDS",
    ...commands.flatMap(({ name, usage, full, places, flags, examples }) => [
      `.SS ovld ${name}`,
      usage
        .split("\n")
        .map((each) => `${roff(`ovld ${name} ${each}`.trimEnd())}\n.br`)
        .join("\n"),
      ...full.split("\n\n").map((paragraph) => `.PP\n${roff(paragraph)}`),
      rows([...places, ...flags, ...examples]),
    ]),
    ...after
      .replaceAll(/^\|.*\n\| -.*$/gm, "")
      .split("\n")
      .map(fromMarkdown),
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function fromMarkdown(line) {
  if (line.startsWith("## ")) return `.SH ${line.slice(3).toUpperCase()}`;
  if (!line.startsWith("|")) return line === "" ? "" : `.PP\n${roff(line)}`;
  const [first, ...others] = line.replaceAll(/^\| *| *\|$/g, "").split(/ *\| */);
  return rows([[first, others.join("; ")]]);
}

function rows(list) {
  return list.map(([name, text]) => `.TP\n\\fB${roff(name.trim())}\\fR\n${roff(text)}`).join("\n");
}

/** Text for roff: links lead to guides, and signs that it would change or does not know have a number. */
function roff(text) {
  return text
    .replaceAll(/\[[^\]]*\]\(guides\/([a-z-]+)\.md\)/g, "ovld help $1")
    .replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)|`|\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[\\-]/g, (sign) => (sign === "-" ? "\\-" : "\\e"))
    .replaceAll(
      /[^ -~]|['^~]/gu,
      (sign) => `\\[u${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replace(/^\./, "\\&.");
}
