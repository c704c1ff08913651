/** All texts in English. */
import { CLI_TEXTS, HELP_TEXTS } from "./en/help.ts";
import { COMMAND_TEXTS } from "./en/commands.ts";
import { DOCTOR_TEXTS } from "./en/doctor.ts";
import { MACHINE_TEXTS } from "./en/machines.ts";
import { INIT_TEXTS, CONFIG_TEMPLATE } from "./en/init.ts";
import { INSIGHT_TEXTS, RETURN_TEXTS, SESSION_TEXTS } from "./en/armies.ts";
import { PAGE_TEXTS } from "./en/page.ts";
import { PLAY_TEXTS, PRACTICE_TEXTS } from "./en/practice.ts";
import { ERROR_TEXTS } from "./en/errors.ts";

export const TEXTS = {
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
