// Writes the part of docs/commands.md that comes from the command tree; with --check it only says whether it is up to
// date.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { generateHelpTextForAllCommands } from "@stricli/core";
import { format, resolveConfig } from "prettier";

const BEGIN = "<!-- From here on written by npm run docs -->";
const END = "<!-- Until here -->";
const file = fileURLToPath(new URL("../docs/commands.md", import.meta.url));

const load = createRequire(import.meta.url);
const { buildApp } = load("../dist/app.cjs");
const { TEXTS } = load("../dist/texts-en.cjs");
const commands = generateHelpTextForAllCommands(buildApp(TEXTS, unused, unused)).map(([route, text]) => ({
  name: route.replace(/^ovld /, ""),
  ...takeApart(text),
}));

const written = readFileSync(file, "utf8");
const [before, rest = ""] = written.split(BEGIN);
const [, after = ""] = rest.split(END);
const generated = commands.map(
  ({ name, prose, help }) => `## ${name}\n\n${prose}\n\n\`\`\`\n${help}\n\`\`\`\n`,
);
const wanted = await format(`${before}${BEGIN}\n\n${generated.join("\n")}\n${END}${after}`, {
  ...(await resolveConfig(file)),
  parser: "markdown",
});
if (!process.argv.includes("--check")) writeFileSync(file, wanted);
else if (wanted !== written) {
  console.error("docs/commands.md does not match the commands. Run npm run docs to update it.");
  process.exitCode = 1;
}

/** In the document a command's description is prose; the rest stays as on the terminal. */
function takeApart(text) {
  const parts = text.trimEnd().split("\n\n");
  const help = parts.filter(isList).join("\n\n").replaceAll(/ +$/gm, "");
  return { prose: parts.filter((part) => !isList(part)).join("\n\n"), help };
}

/** Below the heading of a list, every line is indented. */
function isList(part) {
  return part.includes("\n  ");
}

function unused() {
  throw new Error("describing a command does not run it");
}
