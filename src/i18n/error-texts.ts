/** The sentences for each error: what is wrong, and what to do next. */
import { cleanLine } from "../system/clean-text.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { Language } from "../army/words.ts";
import { inEnglish } from "./english-errors.ts";
import { inJapanese } from "./japanese-errors.ts";

/** One or two sentences, always on one line: a path with a newline in it must not look like another line of ours. */
export function describeError(report: ErrorReport, language: Language): string {
  return cleanLine(language === "ja" ? inJapanese(report) : inEnglish(report));
}
