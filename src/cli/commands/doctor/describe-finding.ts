/** What the doctor found, as a sentence on one line. */
import type { Finding } from "../../../agent/finding.ts";
import { DOCTOR_TEXTS, type FindingCode, type FindingFacts } from "../../../i18n/doctor-texts.ts";
import type { Language } from "../../../army/words.ts";
import { cleanLine } from "../../../system/clean-text.ts";

export function describeFinding<Code extends FindingCode>(
  finding: Finding & { code: Code; facts: FindingFacts[Code] },
  language: Language,
): string {
  return cleanLine(DOCTOR_TEXTS[language].sentences[finding.code](finding.facts));
}
