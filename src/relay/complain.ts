/** What a relay says on stderr, which ends up in the log of its client. */
import type { Environment } from "../system/run-program.ts";
import { formatError } from "../i18n/sentences.ts";
import { chooseLanguage } from "../i18n/language.ts";
import { cleanLine } from "../system/clean-text.ts";
import { OvldError } from "../system/ovld-error.ts";
import { print } from "../terminal/print.ts";
import type { LoadPart } from "./open-tools.ts";

/** In the person's language. */
export function complainer(load: LoadPart, env: Environment): (error: unknown) => void {
  return (error) => {
    if (error instanceof OvldError) {
      const { TEXTS } = load(`texts-${chooseLanguage(env)}`);
      complain(formatError(error.report, TEXTS));
    } else complain(error instanceof Error ? error.message : String(error));
  };
}

/** stderr may have no reader, and a full pipe would block the relay, so complaints stop at this number. */
const MOST_COMPLAINTS = 20;
let complaints = 0;

/** Uses stderr, because stdout carries only the protocol. */
export function complain(sentence: string): void {
  complaints += 1;
  if (complaints <= MOST_COMPLAINTS) print("stderr", `ovld relay: ${cleanLine(sentence).slice(0, 500)}\n`);
}
