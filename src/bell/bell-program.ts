/** What of the bell is built into a file of its own: a relay that was only started to be asked does not pay for it. */
export { hangBell } from "./hang-bell.ts";
export { substituteRinger } from "./ring-instead.ts";
