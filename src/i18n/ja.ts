/** All texts in Japanese. */
import { CLI_TEXTS, HELP_TEXTS } from "./ja/help.ts";
import { BUDGET_TEXTS } from "./ja/budget.ts";
import { COMMAND_TEXTS } from "./ja/commands.ts";
import { DOCTOR_TEXTS } from "./ja/doctor.ts";
import { MACHINE_TEXTS } from "./ja/machines.ts";
import { INIT_TEXTS, CONFIG_NOTES } from "./ja/init.ts";
import { NOTES_TEXTS, RETURN_TEXTS, SESSION_TEXTS, ZELLIJ_TEXTS } from "./ja/armies.ts";
import { ORDER_TEXTS } from "./ja/orders.ts";
import { PAGE_TEXTS } from "./ja/page.ts";
import { PLAY_TEXTS, PRACTICE_TEXTS } from "./ja/practice.ts";
import { INBOX_TEXTS } from "./ja/mail.ts";
import { WORK_TEXTS } from "./ja/work.ts";
import { ERROR_TEXTS } from "./ja/errors.ts";
import type { Texts } from "./texts.ts";

export const TEXTS: Texts = {
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
