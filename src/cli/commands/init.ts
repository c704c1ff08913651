/** `ovld init`: writes the configuration file and the role prompts, for the person to change. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { INIT_TEXTS, LANGUAGE_QUESTION } from "../../i18n/init-texts.ts";
import { LANGUAGES, type Language } from "../../army/words.ts";
import { ask } from "../../system/ask.ts";
import { cleanLine } from "../../system/clean-text.ts";
import { publishNewFile, replaceFile } from "../../system/durable-files.ts";
import { explainFileError } from "../../system/file-error.ts";
import { EXIT } from "../exit-code.ts";
import { planInit, type PlannedFile } from "../init/plan-init.ts";
import { runCommand, sayLine, type Machine } from "../machine.ts";

export interface InitFlags {
  force: boolean;
}

export function init(machine: Machine, flags: InitFlags): Promise<void> {
  return runCommand(machine, async () => {
    const set = machine.askedLanguage ?? (machine.hasTerminal ? await askLanguage(machine) : undefined);
    const language = set ?? machine.language;
    const texts = INIT_TEXTS[language];
    const files = planInit(machine, language, set);
    const chosen = files.filter(({ isThere }) => flags.force || !isThere);
    if (chosen.length > 0 && machine.hasTerminal && !(await confirm(machine, language, files, flags))) {
      sayLine(machine, texts.wroteNothing);
      return EXIT.done;
    }
    for (const file of files) {
      const written = chosen.includes(file) && write(file, flags);
      sayLine(machine, cleanLine(written ? texts.wrote(file.path) : texts.kept(file.path)));
    }
    if (chosen.length === 0) sayLine(machine, texts.nothingToDo);
    sayLine(machine, texts.next);
    return EXIT.done;
  });
}

async function askLanguage({ language, stop }: Machine): Promise<Language> {
  const answer = (await ask(`${LANGUAGE_QUESTION} [${language}]: `, stop))?.trim();
  return LANGUAGES.find((each) => each === answer) ?? language;
}

async function confirm(
  machine: Machine,
  language: Language,
  files: PlannedFile[],
  { force }: InitFlags,
): Promise<boolean> {
  const texts = INIT_TEXTS[language];
  for (const { path, isThere } of files)
    if (isThere && !force) sayLine(machine, texts.willKeep(cleanLine(path)));
  sayLine(machine, texts.willWrite);
  for (const { path, isThere } of files) {
    if (!isThere) sayLine(machine, `  ${cleanLine(path)}`);
    else if (force) sayLine(machine, `  ${texts.willReplace(cleanLine(path))}`);
  }
  const answer = await ask(texts.askToWrite, machine.stop);
  return answer !== undefined && !texts.no.test(answer);
}

/** False if in the meantime somebody else has put a file there. */
function write({ path: target, content }: PlannedFile, { force }: InitFlags): boolean {
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
