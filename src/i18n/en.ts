/** All texts in English. */
import { CLI_TEXTS } from "./en/cli.ts";
import { COMMAND_TEXTS } from "./en/commands.ts";
import { DOCTOR_TEXTS } from "./en/doctor.ts";
import { HELP_TEXTS } from "./en/help.ts";
import { HUB_TEXTS } from "./en/hub.ts";
import { INIT_TEXTS } from "./en/init.ts";
import { INSIGHT_TEXTS } from "./en/insight.ts";
import { PAGE_TEXTS } from "./en/page.ts";
import { PLAY_TEXTS } from "./en/play.ts";
import { PRACTICE_TEXTS } from "./en/practice.ts";
import { RETURN_TEXTS } from "./en/returning.ts";
import { SESSION_TEXTS } from "./en/session.ts";
import { CONFIG_TEMPLATE } from "./en/config-template.ts";
import { describeError } from "./en/errors.ts";

export const TEXTS = {
  ...PAGE_TEXTS,
  cli: CLI_TEXTS,
  commands: COMMAND_TEXTS,
  doctor: DOCTOR_TEXTS,
  help: HELP_TEXTS,
  hub: HUB_TEXTS,
  init: INIT_TEXTS,
  insight: INSIGHT_TEXTS,
  play: PLAY_TEXTS,
  practice: PRACTICE_TEXTS,
  returning: RETURN_TEXTS,
  session: SESSION_TEXTS,
  error: describeError,
  configTemplate: CONFIG_TEMPLATE,
};
