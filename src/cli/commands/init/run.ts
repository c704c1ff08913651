/** `ovld init`: writes the configuration file and the role prompts, for the person to edit. */
import type { Texts } from "../../../i18n/texts.ts";
import { mkdirSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LANGUAGE_QUESTION } from "../../../i18n/language.ts";
import { LANGUAGES, type Language } from "../../../army/words.ts";
import { ask } from "../../../terminal/ask.ts";
import { cleanLine } from "../../../system/clean-text.ts";
import { publishNewFile, replaceFile } from "../../../system/durable-files.ts";
import { explainFileError } from "../../../system/file-error.ts";
import { mustConfirm, runCommand, sayLine, type CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";
import { ROLES } from "../../../army/roles.ts";
import { ritualsFolder, configFilePath } from "../../../config/folders.ts";
import { formatConfig } from "../../../i18n/sentences.ts";
import { ritualFileName, packagedRituals } from "../../../rituals/load-rituals.ts";

export interface InitFlags {
  yes: boolean;
  force: boolean;
}

export function init(context: CommandContext, flags: InitFlags): Promise<void> {
  return runCommand(context, async () => {
    const asks = context.hasTerminal && !flags.yes;
    const set = context.askedLanguage ?? (asks ? await askLanguage(context) : undefined);
    const all = set === undefined ? context.texts : context.loadTexts(set);
    const texts = all.init;
    const files = planInit(context, all, set);
    const chosen = files.filter(({ isThere }) => flags.force || !isThere);
    if (chosen.some(({ isThere }) => isThere)) mustConfirm(context, flags, "ovld init --force");
    if (chosen.length > 0 && asks && !(await confirm(context, texts, files, flags))) {
      sayLine(context, texts.wroteNothing);
      return EXIT.done;
    }
    for (const file of files) {
      const written = chosen.includes(file) && write(file, flags);
      sayLine(context, cleanLine(written ? texts.wrote(file.path) : texts.kept(file.path)));
    }
    if (chosen.length === 0) sayLine(context, texts.nothingToDo);
    sayLine(context, texts.next);
    return EXIT.done;
  });
}

async function askLanguage({ texts: { language }, stop }: CommandContext): Promise<Language> {
  const answer = (await ask(`${LANGUAGE_QUESTION} [${language}]: `, stop))?.trim();
  return LANGUAGES.find((each) => each === answer) ?? language;
}

async function confirm(
  context: CommandContext,
  texts: Texts["init"],
  files: InitFile[],
  { force }: InitFlags,
): Promise<boolean> {
  for (const { path, isThere } of files)
    if (isThere && !force) sayLine(context, texts.willKeep(cleanLine(path)));
  sayLine(context, texts.willWrite);
  for (const { path, isThere } of files) {
    if (!isThere) sayLine(context, `  ${cleanLine(path)}`);
    else if (force) sayLine(context, `  ${texts.willReplace(cleanLine(path))}`);
  }
  const answer = await ask(texts.askToWrite, context.stop);
  return answer !== undefined && !texts.no.test(answer);
}

/** False if another process has put a file there in the meantime. */
function write({ path: target, content }: InitFile, { force }: InitFlags): boolean {
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
  isThere: boolean;
}

/** The configuration file, and the six role prompts in the person's language. */
function planInit({ env, ovld }: CommandContext, texts: Texts, set: Language | undefined): InitFile[] {
  const rituals = packagedRituals(ovld.file, texts.language);
  const files = [
    {
      path: configFilePath(env),
      content: formatConfig(texts, set),
    },
    ...ROLES.map((role) => ({
      path: join(ritualsFolder(env), ritualFileName(role)),
      content: readFileSync(join(rituals, ritualFileName(role)), "utf8"),
    })),
  ];
  return files.map((file) => ({ ...file, isThere: existsAt(file.path) }));
}

/** A dangling link counts as present. */
function existsAt(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainFileError(error, path);
  }
}
