/** What the desk's page says. */
import type { Language } from "../../army/words.ts";
import { ANSWER_TEXTS } from "./answer.ts";
import { ARMIES_TEXTS } from "./armies.ts";
import { CONVERSATION_TEXTS, FAILURE_TEXTS, HOLD_TEXTS, RITUAL_TEXTS } from "./agents.ts";
import { DESK_TEXTS } from "./desk.ts";
import { LOG_TEXTS, SEND_TEXTS } from "./mail.ts";
import { STATUS_TEXTS } from "./status.ts";
import { WORK_TEXTS } from "./work.ts";

export const PAGE_TEXTS = {
  language: "en" as Language,
  answer: ANSWER_TEXTS,
  armies: ARMIES_TEXTS,
  conversation: CONVERSATION_TEXTS,
  desk: DESK_TEXTS,
  failures: FAILURE_TEXTS,
  holds: HOLD_TEXTS,
  log: LOG_TEXTS,
  rituals: RITUAL_TEXTS,
  send: SEND_TEXTS,
  status: STATUS_TEXTS,
  work: WORK_TEXTS,
};
