import type { PageTexts } from "../texts.ts";
import { ANSWER_TEXTS } from "./answer.ts";
import { ARMIES_TEXTS } from "./armies.ts";
import { CONVERSATION_TEXTS } from "./conversation.ts";
import { DESK_TEXTS } from "./desk.ts";
import { FAILURE_TEXTS } from "./failures.ts";
import { HOLD_TEXTS } from "./holds.ts";
import { LOG_TEXTS } from "./log.ts";
import { RITUAL_TEXTS } from "./rituals.ts";
import { SEND_TEXTS } from "./send.ts";
import { STATUS_TEXTS } from "./status.ts";

export const PAGE_TEXTS: PageTexts = {
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
