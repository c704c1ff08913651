/** Chooses the person's language. */
import type { Language } from "../army/words.ts";

/** What the person chose explicitly: with `--lang`, and in the configuration file. */
interface Wishes {
  flag?: Language | undefined;
  config?: string | undefined;
}

/** The first one that is set decides, as in the C library. */
export function chooseLanguage(
  env: Readonly<Record<string, string | undefined>>,
  { flag, config }: Wishes = {},
): Language {
  const wish = flag || env["OVLD_LANG"] || config || env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return wish.toLowerCase().startsWith("ja") ? "ja" : "en";
}

/** Asked before the person's language is known. */
export const LANGUAGE_QUESTION = "Language / 言語 (en, ja)";
