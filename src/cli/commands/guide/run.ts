/** `ovld help TOPIC`: the guides of one screen that come with ovld, in Markdown; on a terminal they are laid out. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Language } from "../../../army/words.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { readIfThere } from "../../../system/read-file.ts";
import type { Environment } from "../../../system/run-program.ts";
import { createPaint, wantsColour, type Paint } from "../../../terminal/paint.ts";
import { readableColumns } from "../../../terminal/terminal.ts";
import { wrapWords } from "../../../terminal/text-width.ts";
import type { Row } from "../help/run.ts";

interface Guides {
  /** The started file of ovld, `bin/ovld.cjs` in its package. */
  program: string;
  language: Language;
  env: Environment;
  hasScreen: boolean;
}

export function listGuides(where: Guides): Row[] {
  const topics = readdirSync(folderOf(where))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ""));
  return topics.map((topic) => [
    `ovld help ${topic}`,
    readGuide(where, topic)?.replace(/^# (.*)\n[^]*$/, "$1") ?? "",
  ]);
}

/** Undefined if there is no such guide. For a pipe it is left as it is. */
export function guideText(
  where: Guides,
  topic: string,
  { cli, help }: Pick<Texts, "cli" | "help">,
): string | undefined {
  const guide = readGuide(where, topic);
  if (guide === undefined) return undefined;
  const text = Object.hasOwn(cli.briefs, topic) ? `${guide}\n${help.guides.command(topic)}\n` : guide;
  if (!where.hasScreen) return text;
  return layOut(text, createPaint(wantsColour(where.env, true)), readableColumns());
}

function readGuide(where: Guides, topic: string): string | undefined {
  return /^[a-z-]+$/.test(topic) ? readIfThere(join(folderOf(where), `${topic}.md`)) : undefined;
}

function folderOf({ program, language }: Guides): string {
  return join(dirname(dirname(program)), "docs/guides", language === "ja" ? "ja" : "");
}

function layOut(markdown: string, paint: Paint, columns: number): string {
  let isCode = false;
  const lines = markdown.split("\n").flatMap((line) => {
    if (line.startsWith("```")) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [`    ${paint("glacier", line)}`];
    if (line.startsWith("# ")) return [paint("strong", line.slice(2))];
    const [mark = ""] = /^ *(- |\d+\. )?/.exec(line) ?? [];
    const words = paintWords(line.slice(mark.length), paint);
    return wrapWords(words, columns - mark.length).map(
      (part, index) => (index === 0 ? mark : " ".repeat(mark.length)) + part,
    );
  });
  return lines.join("\n");
}

/** Code keeps its ticks, so that one sees what to type also without colours. */
function paintWords(line: string, paint: Paint): string {
  return line
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`")
        ? paint("glacier", part)
        : part
            .replaceAll(/\*\*([^*]+)\*\*/g, (_all, words: string) => paint("strong", words))
            .replaceAll(/\b_([^_]+)_\b/g, "$1"),
    )
    .join("");
}
