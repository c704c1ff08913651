/** All texts in Japanese. */
import { CLI_TEXTS, HELP_TEXTS } from "./ja/help.ts";
import { COMMAND_TEXTS } from "./ja/commands.ts";
import { DOCTOR_TEXTS } from "./ja/doctor.ts";
import { MACHINE_TEXTS } from "./ja/machines.ts";
import { INIT_TEXTS, CONFIG_TEMPLATE } from "./ja/init.ts";
import { INSIGHT_TEXTS, RETURN_TEXTS, SESSION_TEXTS } from "./ja/armies.ts";
import { PAGE_TEXTS } from "./ja/page.ts";
import { PLAY_TEXTS, PRACTICE_TEXTS } from "./ja/practice.ts";
import { ERROR_TEXTS } from "./ja/errors.ts";
import type { Texts } from "./texts.ts";

export const TEXTS: Texts = {
  ...PAGE_TEXTS,
  cli: CLI_TEXTS,
  commands: COMMAND_TEXTS,
  doctor: DOCTOR_TEXTS,
  help: HELP_TEXTS,
  machines: MACHINE_TEXTS,
  init: INIT_TEXTS,
  insight: INSIGHT_TEXTS,
  play: PLAY_TEXTS,
  practice: PRACTICE_TEXTS,
  returning: RETURN_TEXTS,
  session: SESSION_TEXTS,
  errors: ERROR_TEXTS,
  configTemplate: CONFIG_TEMPLATE,
};
