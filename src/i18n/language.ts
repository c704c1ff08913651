/** Which language the person reads. */
import type { Language } from "../army/words.ts";

/** What was said outright: by `--lang`, and in the configuration file. */
interface Wishes {
  flag?: Language | undefined;
  config?: string | undefined;
}

/** The first that is set decides, as the C library does it with its own variables. */
export function chooseLanguage(
  env: Readonly<Record<string, string | undefined>>,
  { flag, config }: Wishes = {},
): Language {
  const wish = flag || env["OVLD_LANG"] || config || env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "";
  return wish.toLowerCase().startsWith("ja") ? "ja" : "en";
}

/** Asked before it is known which language the person reads. */
export const LANGUAGE_QUESTION = "Language / 言語 (en, ja)";
