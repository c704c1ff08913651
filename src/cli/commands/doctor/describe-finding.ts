/** One of the doctor's findings as a sentence on one line. */
import type { Finding } from "../../../agent/finding.ts";
import type { FindingCode } from "../../../i18n/en/doctor.ts";
import type { FindingFacts } from "../../../i18n/en/doctor.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { cleanLine } from "../../../system/clean-text.ts";

export function describeFinding<Code extends FindingCode>(
  finding: Finding & { code: Code; facts: FindingFacts[Code] },
  { doctor }: Texts,
): string {
  return cleanLine(doctor.sentences[finding.code](finding.facts));
}
