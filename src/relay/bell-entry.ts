/** What is built into a file of its own: a relay that was only started to be asked does not pay for it. */
export { createBell } from "../bell/create-bell.ts";
export { ringerForDeadRelay } from "../bell/ring-for-dead-relay.ts";
export { keepRitual } from "../rituals/keep-ritual.ts";
export { recordIn } from "../zellij/session-record.ts";
