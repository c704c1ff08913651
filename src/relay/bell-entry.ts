/** Built into a file of its own, so that a relay that was started only to be asked what it is does not load it. */
export { openTools } from "./open-tools.ts";
export { linkOfArmy } from "../agent/agent-link.ts";
export { createBell } from "../bell/create-bell.ts";
export { ringerForDeadRelay } from "../bell/ring-for-dead-relay.ts";
export { answerFromOutside } from "./answer-from-outside.ts";
export { notifyPerson } from "../requests/notify-person.ts";
export { keepRitual } from "../rituals/keep-ritual.ts";
export { recordIn } from "../zellij/session-record.ts";
export { tellReturn } from "./tell-return.ts";
