/**
 * Sentences for the model that called a tool. They are loaded late, and ovld may have been moved or updated since the
 * relay started. Then the code takes the place of the sentence: a message that was stored must not look lost.
 */
import { formatError } from "../../i18n/sentences.ts";
import type { Texts } from "../../i18n/texts.ts";
import { printOnOneLine } from "../../system/json.ts";
import type { ErrorReport } from "../../system/ovld-error.ts";

type LoadTexts = () => Pick<Texts, "error" | "holds">;

export function explainError(report: ErrorReport, texts: LoadTexts): string {
  return loaded(() => formatError(report, texts())) ?? `${report.code} ${printOnOneLine(report.facts)}`;
}

/** Why an agent was not woken. */
export function explainHold(reason: keyof Texts["holds"], texts: LoadTexts): string {
  return loaded(() => texts().holds[reason]) ?? reason;
}

function loaded(sentence: () => string): string | undefined {
  try {
    return sentence();
  } catch {
    return undefined;
  }
}
