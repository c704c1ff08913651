/** All texts in Japanese. */
import { CLI_TEXTS } from "./ja/cli.ts";
import { COMMAND_TEXTS } from "./ja/commands.ts";
import { DOCTOR_TEXTS } from "./ja/doctor.ts";
import { HELP_TEXTS } from "./ja/help.ts";
import { HUB_TEXTS } from "./ja/hub.ts";
import { INIT_TEXTS } from "./ja/init.ts";
import { INSIGHT_TEXTS } from "./ja/insight.ts";
import { PAGE_TEXTS } from "./ja/page.ts";
import { PLAY_TEXTS } from "./ja/play.ts";
import { PRACTICE_TEXTS } from "./ja/practice.ts";
import { RETURN_TEXTS } from "./ja/returning.ts";
import { SESSION_TEXTS } from "./ja/session.ts";
import { CONFIG_TEMPLATE } from "./ja/config-template.ts";
import { describeError } from "./ja/errors.ts";
import type { Texts } from "./texts.ts";

export const TEXTS: Texts = {
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
