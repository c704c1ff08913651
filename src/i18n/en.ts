/** All texts in English. */
import { ANSWER_TEXTS } from "./en/answer.ts";
import { ARMIES_TEXTS } from "./en/armies.ts";
import { CLI_TEXTS } from "./en/cli.ts";
import { CONVERSATION_TEXTS } from "./en/conversation.ts";
import { COMMAND_TEXTS } from "./en/commands.ts";
import { DESK_TEXTS } from "./en/desk.ts";
import { DOCTOR_TEXTS } from "./en/doctor.ts";
import { FAILURE_TEXTS } from "./en/failures.ts";
import { HELP_TEXTS } from "./en/help.ts";
import { HOLD_TEXTS } from "./en/holds.ts";
import { HUB_TEXTS } from "./en/hub.ts";
import { INIT_TEXTS } from "./en/init.ts";
import { INSIGHT_TEXTS } from "./en/insight.ts";
import { LOG_TEXTS } from "./en/log.ts";
import { PLAY_TEXTS } from "./en/play.ts";
import { PRACTICE_TEXTS } from "./en/practice.ts";
import { RETURN_TEXTS } from "./en/returning.ts";
import { RITUAL_TEXTS } from "./en/rituals.ts";
import { SEND_TEXTS } from "./en/send.ts";
import { SESSION_TEXTS } from "./en/session.ts";
import { STATUS_TEXTS } from "./en/status.ts";
import { CONFIG_TEMPLATE } from "./en/config-template.ts";
import { describeError } from "./en/errors.ts";
import type { Texts } from "./texts.ts";

export const TEXTS: Texts = {
  language: "en",
  answer: ANSWER_TEXTS,
  armies: ARMIES_TEXTS,
  cli: CLI_TEXTS,
  conversation: CONVERSATION_TEXTS,
  commands: COMMAND_TEXTS,
  desk: DESK_TEXTS,
  doctor: DOCTOR_TEXTS,
  failures: FAILURE_TEXTS,
  help: HELP_TEXTS,
  holds: HOLD_TEXTS,
  hub: HUB_TEXTS,
  init: INIT_TEXTS,
  insight: INSIGHT_TEXTS,
  log: LOG_TEXTS,
  play: PLAY_TEXTS,
  practice: PRACTICE_TEXTS,
  returning: RETURN_TEXTS,
  rituals: RITUAL_TEXTS,
  send: SEND_TEXTS,
  session: SESSION_TEXTS,
  status: STATUS_TEXTS,
  error: describeError,
  configTemplate: CONFIG_TEMPLATE,
};
