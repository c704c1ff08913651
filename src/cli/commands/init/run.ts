/** `ovld init`: writes the configuration file and the role prompts, for the person to edit. */
import type { Texts } from "../../../i18n/texts.ts";
import { mkdirSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import { LANGUAGE_QUESTION } from "../../../i18n/language.ts";
import { LANGUAGES, type Language } from "../../../army/words.ts";
import { ask } from "../../../terminal/ask.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { publishNewFile, replaceFile } from "../../../system/durable-files.ts";
import { explainFileError } from "../../../system/file-error.ts";
import { mustConfirm, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { ritualsFolder, configFilePath } from "../../../config/folders.ts";
import { listSettings } from "../../../i18n/sentences.ts";
import { wrapWords } from "../../../terminal/text-width.ts";
import {
  describeRituals,
  noteWritten,
  writeRitual,
  type PersonRitual,
} from "../../../rituals/person-rituals.ts";

export interface InitFlags {
  yes: boolean;
  force: boolean;
}

export async function init(context: CommandContext, flags: InitFlags): Promise<number> {
  const asks = context.hasTerminal && !flags.yes;
  const set = context.askedLanguage ?? (asks ? await askLanguage(context) : undefined);
  const all = set === undefined ? context.texts : context.loadTexts(set);
  const texts = all.init;
  const files = planInit(context, all, set, flags);
  const chosen = files.filter(({ is }) => is !== "kept");
  if (flags.force && chosen.some(({ is }) => is === "replaced"))
    mustConfirm(context, flags, "ovld init --force");
  if (chosen.length > 0 && asks && !(await confirm(context, texts, files))) {
    sayLine(context, texts.wroteNothing);
    return EXIT.done;
  }
  const ours = files.flatMap(({ ritual }) => (ritual && (flags.force || !ritual.isOwn) ? ritual : []));
  noteWritten(ours, "before");
  for (const file of files) {
    const written = chosen.includes(file) && write(file, flags);
    sayLine(context, cleanLine(written ? texts.wrote(file.path) : texts.kept(file.path)));
  }
  noteWritten(ours, "after");
  if (chosen.length === 0) sayLine(context, texts.nothingToDo);
  sayLine(context, texts.next);
  return EXIT.done;
}

async function askLanguage({ texts: { language }, stop }: CommandContext): Promise<Language> {
  const answer = (await ask(`${LANGUAGE_QUESTION} [${language}]: `, stop))?.trim();
  return LANGUAGES.find((each) => each === answer) ?? language;
}

async function confirm(context: CommandContext, texts: Texts["init"], files: InitFile[]): Promise<boolean> {
  for (const { path, is } of files) if (is === "kept") sayLine(context, texts.willKeep(cleanLine(path)));
  sayLine(context, texts.willWrite);
  for (const { path, is } of files) {
    if (is === "new") sayLine(context, `  ${cleanLine(path)}`);
    else if (is === "replaced") sayLine(context, `  ${texts.willReplace(cleanLine(path))}`);
  }
  const answer = await ask(texts.askToWrite, context.stop);
  return answer !== undefined && !texts.no.test(answer);
}

/** False if another process has put a file there in the meantime. */
function write({ path: target, content, ritual }: InitFile, { force }: InitFlags): boolean {
  if (ritual && !force) return writeRitual(ritual);
  const aside = `${target}.${process.pid}`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    if (!force) return publishNewFile({ aside, target, content });
    replaceFile({ aside, target, content });
    return true;
  } catch (error) {
    throw explainFileError(error, target);
  }
}

interface InitFile {
  path: string;
  content: string;
  /** What becomes of what is there; without --force, only a ritual that nobody has edited is replaced. */
  is: "new" | "kept" | "replaced";
  ritual?: PersonRitual;
}

/** The configuration file, and the six role prompts with what they share, in the person's language. */
function planInit(
  { env, ovld }: CommandContext,
  texts: Texts,
  set: Language | undefined,
  { force }: InitFlags,
): InitFile[] {
  const packaged = { program: ovld.file, language: texts.language, anew: force };
  const files: Omit<InitFile, "is">[] = [
    { path: configFilePath(env), content: formatConfig(texts, set) },
    ...describeRituals(ritualsFolder(env), packaged).map((ritual) => ({
      path: ritual.path,
      content: ritual.text,
      ritual,
    })),
  ];
  return files.map((file) => {
    const isOutdated = file.ritual?.differs && !file.ritual.isOwn;
    const is = !existsAt(file.path) ? "new" : force || isOutdated ? "replaced" : "kept";
    return { ...file, is };
  });
}

const WIDTH = 118;

/** Every setting explained, and none set except the language, if one is given: otherwise the system decides. */
export function formatConfig(
  { language, configNotes }: Pick<Texts, "language" | "configNotes">,
  set: Language | undefined,
): string {
  const settings: Readonly<Record<string, string>> = listSettings(set ?? language);
  const sections = Object.entries(configNotes).map(([name, note]) => {
    const isSet = name === "language" && set !== undefined;
    const lines = isSet ? settings[name] : settings[name]?.replaceAll(/^(?=.)/gm, "# ");
    return [...wrapWords(note, WIDTH).map((line) => `# ${line}`), lines].join("\n").trimEnd();
  });
  return `${sections.join("\n\n")}\n`;
}

/** A dangling link counts as present. */
function existsAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainFileError(error, path);
  }
}
