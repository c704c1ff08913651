/** How a command line can continue, for the scripts that `ovld completion` prints. */
import { proposeCompletions } from "@stricli/core";
import { LANGUAGES } from "../../../army/words.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { buildApp } from "../../command-tree.ts";
import { replaceNames } from "../../read-arguments.ts";
import type { LoadProgram } from "../../syntax.ts";
import type { CommandContext } from "../../../command/command-context.ts";

const LANGUAGE_FLAG = "--lang";
const NO_STREAM = { write: () => {} };

/** One candidate per line, with its description after a tab; the last word is the one being typed. */
export async function completeWords(
  words: readonly string[],
  texts: Texts,
  context: () => CommandContext,
  load: LoadProgram,
): Promise<string> {
  const partial = words.at(-1) ?? "";
  const known =
    words.at(-2) === LANGUAGE_FLAG
      ? LANGUAGES.map((completion) => ({ completion, brief: "" }))
      : [
          ...(await fromTree(replaceNames(withoutLanguage(words.slice(0, -1))).rest)),
          ...commonFlags(partial, texts),
        ];
  const fitting = known.filter(({ completion }) => completion !== "--" && completion.startsWith(partial));
  const values = fitting.filter(({ completion }) => !completion.startsWith("-"));
  // Flags are offered only once one has been started, or if no value fits here.
  const lines = (values.length > 0 ? values : fitting).map(({ completion, brief }) =>
    brief === "" ? completion : `${completion}\t${brief}`,
  );
  return lines.map((line) => `${line}\n`).join("");

  async function fromTree(before: readonly string[]) {
    const app = buildApp(texts, context, load);
    const streams = { process: { stdout: NO_STREAM, stderr: NO_STREAM } };
    const proposed = await proposeCompletions(app, [...before, partial], streams);
    // The description of a value is that of its place, and the same for all values.
    return proposed.map(({ kind, completion, brief }) => ({
      completion,
      brief: kind === "argument:value" ? "" : brief,
    }));
  }
}

/** The tree does not know the flag that all commands share. */
function withoutLanguage(words: readonly string[]): string[] {
  const at = words.indexOf(LANGUAGE_FLAG);
  return at === -1 ? [...words] : [...words.slice(0, at), ...words.slice(at + 2)];
}

function commonFlags(partial: string, { help }: Texts): { completion: string; brief: string }[] {
  if (!partial.startsWith("--")) return [];
  return help.flags.flatMap(([flag, brief]) => {
    const [completion = ""] = /--\w+/.exec(flag) ?? [];
    return completion === "--version" ? [] : [{ completion, brief }];
  });
}
