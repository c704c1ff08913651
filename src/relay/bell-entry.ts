/** What is built into a file of its own: a relay that was only started to be asked does not pay for it. */
export { linkOfArmy } from "../agent/link-of-army.ts";
export { createBell } from "../bell/create-bell.ts";
export { ringerForDeadRelay } from "../bell/ring-for-dead-relay.ts";
export { keepRitual } from "../rituals/keep-ritual.ts";
export { recordIn } from "../zellij/session-record.ts";
