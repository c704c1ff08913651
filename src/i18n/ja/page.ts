import type { PageTexts } from "../texts.ts";
import { ANSWER_TEXTS } from "./answer.ts";
import { ARMIES_TEXTS } from "./armies.ts";
import { CONVERSATION_TEXTS, FAILURE_TEXTS, HOLD_TEXTS, RITUAL_TEXTS } from "./agents.ts";
import { DESK_TEXTS } from "./desk.ts";
import { LOG_TEXTS, SEND_TEXTS } from "./mail.ts";
import { STATUS_TEXTS } from "./status.ts";
import { WORK_TEXTS } from "./work.ts";

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
  work: WORK_TEXTS,
};
