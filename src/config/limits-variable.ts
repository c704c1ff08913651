/** The variable that carries limits, set by `summon` for an army's relays or by the person. */
import { MOST_MAIL, type MailLimits } from "../army/words.ts";
import { OvldError } from "../system/ovld-error.ts";
import type { Environment } from "../system/run-program.ts";

export const LIMITS_VARIABLE = "OVLD_LIMITS";

/** The words used in it. */
const NAMES = { unread: "unreadPerInbox", body: "bodyBytes", journal: "journalMegabytes" } as const;

export function printLimits({ unreadPerInbox, bodyBytes, journalMegabytes }: MailLimits): string {
  return `unread=${unreadPerInbox},body=${bodyBytes},journal=${journalMegabytes}`;
}

/** The limits it sets; empty if it is not set. */
export function readLimits(env: Environment): Partial<MailLimits> {
  const value = env[LIMITS_VARIABLE];
  const limits: Partial<MailLimits> = {};
  for (const part of value ? value.split(",") : []) {
    const [, word, digits] = /^(unread|body|journal)=(\d+)$/.exec(part.trim()) ?? [];
    const name = word === "unread" || word === "body" || word === "journal" ? NAMES[word] : undefined;
    const number = Number(digits);
    if (name === undefined || number < 1 || number > MOST_MAIL[name]) {
      const facts = { variable: LIMITS_VARIABLE, value: value ?? "", expected: "limits" } as const;
      throw new OvldError({ code: "env-wrong", facts });
    }
    limits[name] = number;
  }
  return limits;
}
