/** Why a turn failed, and until when, as one sentence. */
import type { Texts } from "./texts.ts";

/** `until` is in ISO 8601, and shown in this machine's local time. */
export function failureSentence(
  error: string,
  until: string | null,
  { failures }: Pick<Texts, "failures">,
): string {
  const { kinds, unknown, until: tellUntil } = failures;
  const sentence = isKnown(error, failures) ? kinds[error] : unknown(error);
  return until === null ? sentence : tellUntil(sentence, clockOf(new Date(until)));
}

function isKnown(error: string, failures: Texts["failures"]): error is keyof Texts["failures"]["kinds"] {
  return error in failures.kinds;
}

function clockOf(moment: Date): string {
  const [month, day, hours, minutes] = [
    moment.getMonth() + 1,
    moment.getDate(),
    moment.getHours(),
    moment.getMinutes(),
  ].map((part) => String(part).padStart(2, "0"));
  return `${month}-${day} ${hours}:${minutes}`;
}
