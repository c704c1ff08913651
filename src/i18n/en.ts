/** All texts in English. */
import { CLI_TEXTS, HELP_TEXTS } from "./en/help.ts";
import { BUDGET_TEXTS } from "./en/budget.ts";
import { COMMAND_TEXTS } from "./en/commands.ts";
import { DOCTOR_TEXTS } from "./en/doctor.ts";
import { MACHINE_TEXTS } from "./en/machines.ts";
import { INIT_TEXTS, CONFIG_NOTES } from "./en/init.ts";
import { NOTES_TEXTS, RETURN_TEXTS, SESSION_TEXTS, ZELLIJ_TEXTS } from "./en/armies.ts";
import { ORDER_TEXTS } from "./en/orders.ts";
import { PAGE_TEXTS } from "./en/page.ts";
import { PLAY_TEXTS, PRACTICE_TEXTS } from "./en/practice.ts";
import { INBOX_TEXTS } from "./en/mail.ts";
import { WORK_TEXTS } from "./en/work.ts";
import { ERROR_TEXTS } from "./en/errors.ts";

export const TEXTS = {
  ...PAGE_TEXTS,
  budget: BUDGET_TEXTS,
  cli: CLI_TEXTS,
  commands: COMMAND_TEXTS,
  doctor: DOCTOR_TEXTS,
  help: HELP_TEXTS,
  machines: MACHINE_TEXTS,
  orders: ORDER_TEXTS,
  init: INIT_TEXTS,
  inbox: INBOX_TEXTS,
  notes: NOTES_TEXTS,
  play: PLAY_TEXTS,
  practice: PRACTICE_TEXTS,
  returning: RETURN_TEXTS,
  session: SESSION_TEXTS,
  work: WORK_TEXTS,
  zellij: ZELLIJ_TEXTS,
  errors: ERROR_TEXTS,
  configNotes: CONFIG_NOTES,
};
