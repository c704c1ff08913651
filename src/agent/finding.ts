/** One finding of the doctor: how serious it is, what it is, and the command that fixes it. */
import type { FindingCode, FindingFacts } from "../i18n/en/doctor.ts";

type Verdict = "good" | "note" | "wrong";

export type Finding = {
  [Code in FindingCode]: { verdict: Verdict; code: Code; facts: FindingFacts[Code]; fix?: string };
}[FindingCode];
