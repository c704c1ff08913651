/** All texts in Japanese. */
export * from "./ja/page.ts";
export { CLI_TEXTS as cli, HELP_TEXTS as help } from "./ja/help.ts";
export { BUDGET_TEXTS as budget } from "./ja/budget.ts";
export { COMMAND_TEXTS as commands } from "./ja/commands.ts";
export { DOCTOR_TEXTS as doctor } from "./ja/doctor.ts";
export { MACHINE_TEXTS as machines } from "./ja/machines.ts";
export { INIT_TEXTS as init, CONFIG_NOTES as configNotes } from "./ja/init.ts";
export {
  NOTES_TEXTS as notes,
  RETURN_TEXTS as returning,
  SESSION_TEXTS as session,
  ZELLIJ_TEXTS as zellij,
} from "./ja/armies.ts";
export { ORDER_TEXTS as orders } from "./ja/orders.ts";
export { PLAY_TEXTS as play, PRACTICE_TEXTS as practice } from "./ja/practice.ts";
export { INBOX_TEXTS as inbox } from "./ja/mail.ts";
export { ERROR_TEXTS as errors } from "./ja/errors.ts";
