/** What `ovld init` would write: the configuration file, and the six role prompts in the person's language. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "../../../army/roles.ts";
import { ritualsFolder, configFilePath } from "../../../config/folders.ts";
import type { Language } from "../../../army/words.ts";
import { formatConfig } from "../../../i18n/sentences.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { ritualFileName, packagedRituals } from "../../../rituals/load-rituals.ts";
import { explainFileError } from "../../../system/file-error.ts";
import type { CommandContext } from "../../../command/command-context.ts";

export interface InitFile {
  path: string;
  content: string;
  isThere: boolean;
}

export function planInit({ env, ovld }: CommandContext, texts: Texts, set: Language | undefined): InitFile[] {
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
  return files.map((file) => ({ ...file, isThere: isThere(file.path) }));
}

/** A dangling link counts as present. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainFileError(error, path);
  }
}
