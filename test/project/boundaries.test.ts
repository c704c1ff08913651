import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** In the order a reader meets them: a folder may import from those above it. */
const FOLDERS = [
  "system",
  "army",
  "terminal",
  "config",
  "i18n",
  "mail",
  "zellij",
  "work",
  "agent",
  "bell",
  "rituals",
  "requests",
  "relay",
  "command",
  "summon",
  "person",
  "view",
  "desk",
  "cli",
  "machines",
];
/** The one import of `machines`; the others know it by the interface in `mail/other-machines.ts`. */
const DOOR_OF_MACHINES = "src/cli/command-tree.ts → src/machines/commands/call.ts";
/** The only other code that may speak of a hub or of NATS. */
const KNOW_OF_HUBS = new RegExp(
  [
    // What a person writes, reads and runs.
    "i18n/",
    "config/",
    "cli/(read-arguments|commands/(help/run|practice/machines|status/format-status))",
    "view/machines",
    "summon/plan-army",
    // Codes of errors, and what agents are told.
    "army/(hub-)?errors",
    "command/command-context",
    "cli/commands/unsummon/run",
    "relay/tools/",
    // The name of a folder.
    "mail/store/paths",
  ]
    .map((place) => `^src/${place}`)
    .join("|"),
);
/**
 * The most files and lines of each folder, so that it stays small enough to be held in one's head. Lower a number when
 * a folder has become smaller; raise one only for a capability that is worth the reading.
 */
const BUDGET: Record<string, { files: number; lines: number }> = {
  system: { files: 16, lines: 1_552 },
  army: { files: 5, lines: 582 },
  terminal: { files: 8, lines: 503 },
  config: { files: 4, lines: 629 },
  i18n: { files: 40, lines: 4_477 },
  mail: { files: 22, lines: 3_200 },
  zellij: { files: 9, lines: 1_459 },
  work: { files: 15, lines: 2_587 },
  agent: { files: 29, lines: 4_043 },
  bell: { files: 12, lines: 1_833 },
  rituals: { files: 7, lines: 833 },
  requests: { files: 5, lines: 642 },
  relay: { files: 18, lines: 2_526 },
  command: { files: 1, lines: 172 },
  summon: { files: 14, lines: 2_552 },
  person: { files: 10, lines: 981 },
  view: { files: 7, lines: 862 },
  desk: { files: 29, lines: 3_980 },
  cli: { files: 40, lines: 5_015 },
  machines: { files: 33, lines: 4_809 },
};
/** A file that is longer needs a reason, in its first comment. */
const MOST_LINES = 400;
/** A file this short with a single importer belongs into that one. */
const CRUMB_LINES = 20;

/** Folders that must not import each other although one is above the other. */
const STRANGERS = new Set(["config", "i18n", "mail", "zellij"]);

/** What is true of one agent program only. */
const ONE_PROGRAM = /^src\/agent\/(claude|practice)\//;
const PRACTICE_COMMANDS = /^src\/cli\/commands\/practice(-agent)?\//;
/** Its hooks and their answers, its names for tools, its variables and files, and the marks on its screen. */
const CLAUDE_WORDS = new RegExp(
  [
    "UserPromptSubmit|(Pre|Post)ToolUse|PermissionRequest|StopFailure|SessionStart",
    "hookSpecificOutput|additionalContext|mcp__",
    String.raw`CLAUDECODE|CLAUDE_|ANTHROPIC_|["/]\.claude`,
    "esc ?to ?interrupt|Pasted ?text|trustthisfolder",
  ].join("|"),
);

const sources = sourceFiles();

it("a folder imports only from those above it", () => {
  const breaches = sources.flatMap(({ file, imports }) =>
    imports
      .filter((target) => !mayImport(folderOf(file), folderOf(target)))
      .map((target) => `${file} → ${target}`),
  );
  expect(breaches).toEqual([DOOR_OF_MACHINES]);
});

it("only src/machines knows NATS, and little else knows that there is a hub", () => {
  const others = sources.filter(({ file }) => !file.startsWith("src/machines/") && !KNOW_OF_HUBS.test(file));
  const speaking = others.filter(({ text }) => /hub|\bnats\b/i.test(withoutComments(text)));
  expect(speaking.map(({ file }) => file)).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
}

it("every folder has its place in the order", () => {
  expect(
    [...new Set(sources.map(({ file }) => folderOf(file)))].filter((name) => !FOLDERS.includes(name)),
  ).toEqual([]);
});

it.each([
  [
    "renaming, linking and syncing files",
    /(?<!\.)\b(rename|link|fsync|fdatasync)Sync\(|from "node:fs\/promises"/,
    ["src/system/durable-files.ts"],
  ],
  ["starting processes", /child_process/, ["src/system/run-program.ts"]],
  ["the system's name", /process\.platform/, ["src/system/platform.ts"]],
  ["the working folder, which has several spellings", /process\.cwd\(/, ["src/system/platform.ts"]],
  ["the environment", /process\.env/, ["src/cli/main.ts", "src/relay/main.ts"]],
])("%s is known to its own files only", (_what, pattern, allowed) => {
  const users = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(users.toSorted()).toEqual(allowed);
});

it("no sentence is bundled into another file: outside of src/i18n only types of the texts are imported", () => {
  const breaches = sources.filter(
    ({ file, text }) =>
      !file.startsWith("src/i18n/") && /^import (?!type\b).* from "[./]+\/i18n\/(en|ja)[/.]/m.test(text),
  );
  expect(breaches.map(({ file }) => file)).toEqual([]);
});

it("outside of src/agent an agent program is known only by its interfaces", () => {
  const breaches = sources
    .filter(({ file }) => !file.startsWith("src/agent/") && !PRACTICE_COMMANDS.test(file))
    .flatMap(({ file, imports }) =>
      imports.filter((target) => ONE_PROGRAM.test(target)).map((target) => `${file} → ${target}`),
    );
  expect(breaches).toEqual([]);
});

it("words that only Claude Code uses are only in its own folder and in the practice agent's", () => {
  const breaches = sources.filter(
    ({ file, text }) => !ONE_PROGRAM.test(file) && !PRACTICE_COMMANDS.test(file) && CLAUDE_WORDS.test(text),
  );
  expect(breaches.map(({ file }) => file)).toEqual([]);
});

it("the folder of the machine knows no word of ours", () => {
  const ours = /\b(army|armies|roles?|mail|inbox|hub|relay|claude|zellij|ritual|bell|nats)\b/i;
  const breaches = sources.filter(({ file, text }) => file.startsWith("src/system/") && ours.test(text));
  expect(breaches.map(({ file }) => file)).toEqual([]);
});

it("nothing is exported by default", () => {
  expect(sources.filter(({ text }) => /^export default/m.test(text)).map(({ file }) => file)).toEqual([]);
});

it("no two exported types have one name", () => {
  const names = sources.flatMap(({ text }) =>
    Array.from(text.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name]) => name),
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("no folder has more files or lines than its budget", () => {
  const over = FOLDERS.flatMap((folder) => {
    const inside = sources.filter(({ file }) => folderOf(file) === folder);
    const found = { files: inside.length, lines: inside.reduce((sum, { text }) => sum + linesOf(text), 0) };
    const { files = 0, lines = 0 } = BUDGET[folder] ?? {};
    return found.files > files || found.lines > lines ? [{ folder, ...found }] : [];
  });
  expect(over).toEqual([]);
});

it(`no source file is longer than ${MOST_LINES} lines`, () => {
  expect(sources.filter(({ text }) => linesOf(text) > MOST_LINES).map(({ file }) => file)).toEqual([]);
});

it(`no file of at most ${CRUMB_LINES} lines has a single importer`, () => {
  const importers = (file: string) => sources.filter(({ imports }) => imports.includes(file)).length;
  const crumbs = sources.filter(({ text }) => linesOf(text) <= CRUMB_LINES).map(({ file }) => file);
  expect(crumbs.filter((file) => importers(file) === 1)).toEqual([]);
});

it("the rule finds a violation if there is one", () => {
  expect(mayImport("mail", "i18n")).toBe(false);
  expect(mayImport("army", "mail")).toBe(false);
  expect(mayImport("relay", "cli")).toBe(false);
  expect(mayImport("relay", "mail")).toBe(true);
});

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  if (STRANGERS.has(from) && STRANGERS.has(to)) return false;
  return FOLDERS.indexOf(to) < FOLDERS.indexOf(from);
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

function folderOf(file: string): string {
  return file.split("/")[1] ?? "";
}

interface SourceFile {
  file: string;
  text: string;
  imports: string[];
}

function sourceFiles(): SourceFile[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const file = join("src", name);
      const text = readFileSync(join(root, file), "utf8");
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
        normalize(join(dirname(file), path)),
      );
      return { file, text, imports };
    });
}
