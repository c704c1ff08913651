/** All texts in Japanese. */
import { ANSWER_TEXTS } from "./ja/answer.ts";
import { ARMIES_TEXTS } from "./ja/armies.ts";
import { CLI_TEXTS } from "./ja/cli.ts";
import { CONVERSATION_TEXTS } from "./ja/conversation.ts";
import { COMMAND_TEXTS } from "./ja/commands.ts";
import { DESK_TEXTS } from "./ja/desk.ts";
import { DOCTOR_TEXTS } from "./ja/doctor.ts";
import { FAILURE_TEXTS } from "./ja/failures.ts";
import { HELP_TEXTS } from "./ja/help.ts";
import { HOLD_TEXTS } from "./ja/holds.ts";
import { HUB_TEXTS } from "./ja/hub.ts";
import { INIT_TEXTS } from "./ja/init.ts";
import { INSIGHT_TEXTS } from "./ja/insight.ts";
import { LOG_TEXTS } from "./ja/log.ts";
import { PLAY_TEXTS } from "./ja/play.ts";
import { PRACTICE_TEXTS } from "./ja/practice.ts";
import { RETURN_TEXTS } from "./ja/returning.ts";
import { RITUAL_TEXTS } from "./ja/rituals.ts";
import { SEND_TEXTS } from "./ja/send.ts";
import { SESSION_TEXTS } from "./ja/session.ts";
import { STATUS_TEXTS } from "./ja/status.ts";
import { CONFIG_TEMPLATE } from "./ja/config-template.ts";
import { describeError } from "./ja/errors.ts";
import type { Texts } from "./texts.ts";

export const TEXTS: Texts = {
  language: "ja",
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
