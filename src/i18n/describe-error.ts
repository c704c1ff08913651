/** What an error says, on one line: a path with a newline in it must not look like another line of ours. */
import { cleanLine } from "../system/clean-text.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { Texts } from "./texts.ts";

export function describeError(report: ErrorReport, texts: Pick<Texts, "error">): string {
  return cleanLine(texts.error(report));
}
