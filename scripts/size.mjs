// `npm run size`: how much there is to read and to hold in one's head.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const SHORT = 20;

const sources = filesIn("src", /\.tsx?$/);
// The Japanese guides say what the English ones say, and nobody reads both; words between spaces are not words there.
const docs = filesIn("docs", /\.md$/).filter(({ name }) => !/^guides.ja/.test(name));
const architecture = readFileSync(join(root, "docs/architecture.md"), "utf8");

const rooms = new Map();
for (const { name, lines } of sources) {
  const room = name.split("/")[0];
  const { files, lines: before } = rooms.get(room) ?? { files: 0, lines: 0 };
  rooms.set(room, { files: files + 1, lines: before + lines });
}
print([
  ["lines of src", sum(sources.map(({ lines }) => lines))],
  ["files of src", sources.length],
  [`files of at most ${SHORT} lines`, sources.filter(({ lines }) => lines <= SHORT).length],
  ["files that one message passes", filesOnTheWay()],
  ["coined words on its way", part("Words").match(/\*\*[^*]+\*\*/g)?.length ?? 0],
  ["words in docs/", sum(docs.map(({ text }) => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0))],
]);
console.log();
print([...rooms].map(([room, { files, lines }]) => [room, `${lines} lines, ${files} files`]));

function filesIn(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(root, folder, name), "utf8");
      return { name, text, lines: text.split("\n").length - 1 };
    });
}

/** docs/architecture.md lists them; a test compares the list with what ran. */
function filesOnTheWay() {
  const [, list = ""] = /The files on this way:\s+```\n([^]*?)```/.exec(architecture) ?? [];
  return list.split("\n").flatMap((line) => line.split(/\s+/).slice(1)).length;
}

/** The section of docs/architecture.md under this heading. */
function part(heading) {
  return architecture.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

function print(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);
}
