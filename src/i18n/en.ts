/** All texts in English. */
export * from "./en/page.ts";
export { CLI_TEXTS as cli, HELP_TEXTS as help } from "./en/help.ts";
export { BUDGET_TEXTS as budget } from "./en/budget.ts";
export { COMMAND_TEXTS as commands } from "./en/commands.ts";
export { DOCTOR_TEXTS as doctor } from "./en/doctor.ts";
export { MACHINE_TEXTS as machines } from "./en/machines.ts";
export { INIT_TEXTS as init, CONFIG_NOTES as configNotes } from "./en/init.ts";
export {
  NOTES_TEXTS as notes,
  RETURN_TEXTS as returning,
  SESSION_TEXTS as session,
  ZELLIJ_TEXTS as zellij,
} from "./en/armies.ts";
export { ORDER_TEXTS as orders } from "./en/orders.ts";
export { PLAY_TEXTS as play, PRACTICE_TEXTS as practice } from "./en/practice.ts";
export { INBOX_TEXTS as inbox } from "./en/mail.ts";
export { ERROR_TEXTS as errors } from "./en/errors.ts";
