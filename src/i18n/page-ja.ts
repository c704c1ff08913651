/** The texts of the desk's page in Japanese. */
import { ANSWER_TEXTS } from "./ja/answer.ts";
import { ARMIES_TEXTS } from "./ja/armies.ts";
import { CONVERSATION_TEXTS } from "./ja/conversation.ts";
import { DESK_TEXTS } from "./ja/desk.ts";
import { FAILURE_TEXTS } from "./ja/failures.ts";
import { HOLD_TEXTS } from "./ja/holds.ts";
import { LOG_TEXTS } from "./ja/log.ts";
import { RITUAL_TEXTS } from "./ja/rituals.ts";
import { SEND_TEXTS } from "./ja/send.ts";
import { STATUS_TEXTS } from "./ja/status.ts";
import type { PageTexts } from "./texts.ts";

export const TEXTS: PageTexts = {
  language: "ja",
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
