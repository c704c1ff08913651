/** The texts of the desk's page in English. */
import { ANSWER_TEXTS } from "./en/answer.ts";
import { ARMIES_TEXTS } from "./en/armies.ts";
import { CONVERSATION_TEXTS } from "./en/conversation.ts";
import { DESK_TEXTS } from "./en/desk.ts";
import { FAILURE_TEXTS } from "./en/failures.ts";
import { HOLD_TEXTS } from "./en/holds.ts";
import { LOG_TEXTS } from "./en/log.ts";
import { RITUAL_TEXTS } from "./en/rituals.ts";
import { SEND_TEXTS } from "./en/send.ts";
import { STATUS_TEXTS } from "./en/status.ts";
import type { PageTexts } from "./texts.ts";

export const TEXTS: PageTexts = {
  language: "en",
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
};
