/** What is built into a file of its own: a relay that was only started to be asked does not pay for it. */
export { hangBell } from "../bell/hang-bell.ts";
export { substituteRinger } from "../bell/ring-instead.ts";
export { keepRitual } from "../rituals/keep-ritual.ts";
export { recordIn } from "../zellij/session-record.ts";
