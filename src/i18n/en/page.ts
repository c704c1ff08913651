/** What the desk's page says. */
import type { Language } from "../../army/words.ts";
export { ANSWER_TEXTS as answer } from "./answer.ts";
export { ARMIES_TEXTS as armies } from "./armies.ts";
export {
  CONVERSATION_TEXTS as conversation,
  FAILURE_TEXTS as failures,
  HOLD_TEXTS as holds,
  RITUAL_TEXTS as rituals,
} from "./agents.ts";
export { DESK_TEXTS as desk } from "./desk.ts";
export { LOG_TEXTS as log, SEND_TEXTS as send } from "./mail.ts";
export { STATUS_TEXTS as status } from "./status.ts";
export { WORK_TEXTS as work } from "./work.ts";

export const language: Language = "en";
