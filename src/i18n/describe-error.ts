/**
 * The sentences for an error, on one line: a path that contains a newline must not look like another line of output.
 */
import { cleanLine } from "../system/clean-text.ts";
import type { ErrorReport } from "../system/ovld-error.ts";
import type { Texts } from "./texts.ts";

export function describeError(report: ErrorReport, texts: Pick<Texts, "error">): string {
  return cleanLine(texts.error(report));
}
